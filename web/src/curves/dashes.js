/** How a curve is told from the others: eight colours, then the same ones dashed, then dotted. */
export const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export const dashOf = (k, colours) => DASHES[Math.floor(k / colours) % DASHES.length];
