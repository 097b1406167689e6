/** States of a job, one per read. */
const STATES = ['QUEUED', 'RUNNING', 'COMPLETED'] as const;
/** Beyond 2^53, as the service's ids are. */
const FIRST_ID = 714189942313869312n;

interface Job {
  readonly jobDefinitionId: unknown;
  readonly kind: string;
  reads: number;
}

/** The started jobs. */
export class Jobs {
  readonly #all = new Map<string, Job>();

  start(kind: string, jobDefinitionId: unknown): string {
    const id = String(FIRST_ID + BigInt(this.#all.size));
    this.#all.set(id, { jobDefinitionId, kind, reads: 0 });
    return id;
  }

  read(id: string): (Omit<Job, 'reads'> & { status: (typeof STATES)[number] }) | undefined {
    const job = this.#all.get(id);
    if (!job) return undefined;
    const { jobDefinitionId, kind, reads } = job;
    job.reads++;
    return { jobDefinitionId, kind, status: STATES[Math.min(reads, STATES.length - 1)]! };
  }
}
