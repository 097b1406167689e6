import { Queue, Worker } from 'bullmq';

const connection = { url: process.env.BENCH_REDIS_URL, maxRetriesPerRequest: null };
const JOBS_A_CALL = 1000;

/** Adds jobs to a queue, or has a worker complete them all. It keeps no order by key. */
export async function handler(event: { queue: string; jobs: number; add?: boolean; concurrency?: number }) {
  await (event.add ? addJobs(event.queue, event.jobs) : work(event.queue, event.jobs, event.concurrency!));
}

async function addJobs(name: string, jobs: number): Promise<void> {
  const queue = new Queue(name, { connection });
  const opts = { removeOnComplete: true };
  for (let added = 0; added < jobs; added += JOBS_A_CALL) {
    await queue.addBulk(Array.from({ length: JOBS_A_CALL }, () => ({ name: 'job', data: 'x'.repeat(100), opts })));
  }
  await queue.close();
}

async function work(queue: string, jobs: number, concurrency: number): Promise<void> {
  let completed = 0;
  const done = Promise.withResolvers<undefined>();
  const worker = new Worker(queue, async () => {}, { connection, concurrency, autorun: false });
  worker.on('completed', () => void (++completed === jobs && done.resolve(undefined)));
  void worker.run();
  await done.promise;
  void worker.close();
}
