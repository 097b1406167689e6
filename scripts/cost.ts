import { readFileSync } from 'node:fs';
import { oneOf, readArguments, ScriptError } from './arguments.ts';
import { estimate, type Prices } from './deploy/cost/estimate.ts';
import { SIZES } from './deploy/cost/sizes.ts';

/*
 * npm run cost [-- --size small|medium|large] [--prices FILE]: what a month costs, part by part, by the list prices of
 * scripts/deploy/cost/prices.json or of a file of your own.
 */

const { values } = readArguments({
  command: 'npm run cost',
  about: 'Estimates what a month costs, part by part, for three sizes of use.',
  options: {
    size: { type: 'string', value: Object.keys(SIZES).join('|'), about: 'one size only' },
    prices: {
      type: 'string',
      value: '<file>',
      default: 'scripts/deploy/cost/prices.json',
      about: 'prices of your contract and region',
    },
  },
  examples: ['npm run cost -- --size medium'],
});
const size = values.size === undefined ? undefined : oneOf('size', values.size, Object.keys(SIZES));
const prices = readPrices(values.prices);
const chosen = Object.entries(SIZES).filter(([name]) => size === undefined || name === size);

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

function readPrices(file: string): Prices {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Prices;
  } catch (error) {
    throw new ScriptError(`The prices in ${file} cannot be read: ${(error as Error).message}`);
  }
}
