import { launch, open } from '/work/wt/touch/web/test/browser.mjs';
const browser = await launch();
const list = process.argv.slice(2);
for (const item of list) {
  const [name, at] = item.split(':');
  const { page, faults, close } = await open(browser, `/tmp/tt/${name}.html`, { viewport: {width: 900, height: 560}, colorScheme: 'light' });
  await page.evaluate((share) => window.taut.clock.seek(window.taut.clock.start + share * window.taut.clock.length), Number(at));
  await page.waitForTimeout(300);
  await page.screenshot({ path: `/tmp/tt/${name}.png`, timeout: 150000 });
  await close();
  console.log(name, faults.join(';'));
}
await browser.close();
