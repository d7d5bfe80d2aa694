import { launch } from './browser.mjs';
const b=await launch();
for (const n of process.argv.slice(2)) for (let k=0;k<3;k++){
 const c=await b.newContext({viewport:{width:1440,height:900}}); const p=await c.newPage();
 const s=await c.newCDPSession(p); await s.send('Profiler.enable'); await s.send('Profiler.setSamplingInterval',{interval:500}); await s.send('Profiler.start');
 await p.goto(`file:///tmp/pages/${n}.html`);
 await p.waitForFunction(()=>!window.taut.stage||taut.stage.frames>0);
 const {profile}=await s.send('Profiler.stop');
 const self=new Map(); const dt=profile.timeDeltas; const byId=new Map(profile.nodes.map(x=>[x.id,x]));
 profile.samples.forEach((id,i)=>{const f=byId.get(id).callFrame; const key=f.functionName+':'+f.lineNumber+':'+f.columnNumber; self.set(key,(self.get(key)||0)+dt[i]/1000)});
 const top=[...self].sort((a,b)=>b[1]-a[1]).slice(0,9).map(([k,v])=>k+' '+v.toFixed(0));
 console.log(n, await p.evaluate(()=>({first:taut.stage&&Math.round(taut.stage.firstFrame)})), top.join(' | '));
 await c.close();
}
await b.close();
