import { beforeEach } from '@jest/globals';
import { use } from '../jest/use.ts';
import { ConsumerFixture } from './consumer-fixture.ts';

/** A redis-server for a test file, with a separate stream for each test: `orders:1`, `orders:2`. */
export async function useConsumer(name: string): Promise<ConsumerFixture> {
  const fixture = await use(ConsumerFixture.open());
  let number = 0;
  beforeEach(() => {
    fixture.stream = `${name}:${++number}`;
  });
  return fixture;
}
