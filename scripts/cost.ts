import { readFileSync } from 'node:fs';
import { attempt, oneOf, readArguments } from './arguments.ts';
import { estimate, type PriceList, type Region } from '#deploy/cost/estimate.ts';
import { SIZES } from '#deploy/cost/sizes.ts';

/*
 * npm run cost [-- --size small|medium|large] [--monitoring off|basic|full] [--region REGION] [--prices FILE]: what a
 * month costs, part by part, by the list prices of deploy/cost/prices.json or of a file of your own.
 */

const { values } = readArguments({
  command: 'npm run cost',
  about: 'Estimates the cost of a month, part by part, for three sizes of use.',
  options: {
    size: { type: 'string', value: Object.keys(SIZES).join('|'), about: 'one size only' },
    monitoring: { type: 'string', value: 'off|basic|full', default: 'full', about: 'as the parameter of a deployment' },
    region: {
      type: 'string',
      value: '<region>',
      default: 'eu-central-1',
      about: 'a region with known prices',
    },
    prices: {
      type: 'string',
      value: '<file>',
      default: 'deploy/cost/prices.json',
      about: 'your own prices and regions',
    },
  },
  examples: ['npm run cost -- --size small --monitoring basic --region us-east-1'],
});
const size = values.size === undefined ? undefined : oneOf('size', values.size, Object.keys(SIZES));
const monitoring = oneOf('monitoring', values.monitoring, ['off', 'basic', 'full']);
const list = readPrices(values.prices);
const region = oneOf<string>('region', values.region, Object.keys(list.regions)) as Region;
const chosen = Object.entries(SIZES).filter(([name]) => size === undefined || name === size);

for (const [, use] of chosen) {
  const costs = estimate(use, list.regions[region], monitoring);
  const total = costs.reduce((sum, { usd }) => sum + usd, 0);
  console.log(`\n${use.name}`);
  for (const { part, amount, usd } of costs) console.log(`  ${part.padEnd(34)}${dollars(usd)}   ${amount}`);
  console.log(`  ${'In all'.padEnd(34)}${dollars(total)}   a month`);
}
console.log(`\nMonitoring: ${monitoring}. Prices of ${region}, ${list.currency}, as of ${list.asOf}. ${list.note}`);

function dollars(usd: number): string {
  return usd.toFixed(2).padStart(10);
}

function readPrices(file: string): PriceList {
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as PriceList;
  return attempt(read, (message) => `The prices in ${file} cannot be read: ${message}`);
}
