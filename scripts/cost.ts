import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { estimate, type Prices } from './cost/estimate.ts';
import { SIZES } from './cost/sizes.ts';

/*
 * npm run cost [-- --size small|medium|large] [--prices FILE]: what a month costs, part by part, by the list prices of
 * scripts/cost/prices.json or of a file of your own.
 */

const { values } = parseArgs({
  options: {
    size: { type: 'string' },
    prices: { type: 'string', default: new URL('./cost/prices.json', import.meta.url).pathname },
  },
});
const prices = JSON.parse(readFileSync(values.prices, 'utf8')) as Prices;
const chosen = Object.entries(SIZES).filter(([size]) => values.size === undefined || size === values.size);

if (chosen.length === 0) {
  console.error(`--size must be one of ${Object.keys(SIZES).join(', ')}`);
  process.exitCode = 1;
}
for (const [, use] of chosen) {
  const costs = estimate(use, prices);
  const total = costs.reduce((sum, { usd }) => sum + usd, 0);
  console.log(`\n${use.name}`);
  for (const { part, amount, usd } of costs) console.log(`  ${part.padEnd(34)}${dollars(usd)}   ${amount}`);
  console.log(`  ${'In all'.padEnd(34)}${dollars(total)}   a month`);
}
console.log(`\nPrices of ${prices.region}, ${prices.currency}, as of ${prices.asOf}. ${prices.note}`);

function dollars(usd: number): string {
  return usd.toFixed(2).padStart(10);
}
