import { registry } from '#functions/registry.ts';
import { validate } from '#lib/contract/validation.ts';
import { RATE_ALLOWED, readRate } from './parameter-values.ts';

/** A schedule that the operator adds. */
export interface FurtherSchedule {
  /** Function to invoke: `stream-xtrim`. */
  readonly operation: string;
  /** How often: `rate(1 hour)`, or `cron(…)` in UTC. */
  readonly rate: string;
  /** Its parameters, checked against the contract. */
  readonly input: Record<string, unknown>;
}

const MEMBERS = ['operation', 'rate', 'input'];
const ALLOWED = 'is allowed in the parameters file only: a list of {operation, rate, input}';

/** The further schedules of the parameters file, and their faults. */
export function checkSchedules(value: unknown): { schedules: FurtherSchedule[]; faults: string[] } {
  if (value === undefined) return { schedules: [], faults: [] };
  if (!Array.isArray(value)) return { schedules: [], faults: [`schedules ${ALLOWED}`] };
  const faults = value.flatMap((schedule, at) =>
    faultsOf((schedule ?? {}) as Record<string, unknown>).map((fault) => `schedules[${at}]${fault}`),
  );
  const schedules = (value as FurtherSchedule[]).map((schedule) => ({ ...schedule, input: schedule?.input ?? {} }));
  return { schedules, faults };
}

function faultsOf(schedule: Record<string, unknown>): string[] {
  const { operation: name, rate, input = {} } = schedule;
  const unknown = Object.keys(schedule).filter((member) => !MEMBERS.includes(member));
  const operation = registry.find((candidate) => candidate.name === name);
  const inputFaults = operation ? validate(operation.input, structuredClone(input)) : [];
  return [
    ...unknown.map((member) => ` has an unknown member ${member}; allowed: ${MEMBERS.join(', ')}`),
    ...(operation ? [] : ['.operation is not allowed: the name of an operation']),
    ...(typeof rate === 'string' && readRate(rate) ? [] : [`.rate is not allowed: ${RATE_ALLOWED}`]),
    ...inputFaults.map(({ pointer, message }) => `.input${pointer} ${message}`),
  ];
}
