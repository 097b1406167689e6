import { refusal } from '../records/responses.ts';
import type { Json } from '../tenant/tenant.ts';

type Container = Record<string, unknown>;

const bad = (summary: string) => refusal(400, 'MDM_PATCH_INVALID', summary);

/** Applies JSON Patch operations, whose paths have no leading slash, to a record. */
export function applyPatch(record: Json, operations: readonly Json[]): Json {
  const root = clone(record);
  for (const operation of operations) applyOne(root, operation);
  return root;
}

function applyOne(root: Json, { op, path, from, value }: Json): void {
  if (typeof path !== 'string' || path === '' || path.startsWith('/')) {
    throw bad('The path of an operation has no leading slash and is not empty');
  }
  switch (op) {
    case 'add':
      return put(root, path, value, true);
    case 'replace':
      read(root, path);
      return put(root, path, value, false);
    case 'remove':
      return void take(root, path);
    case 'move':
      return put(root, path, take(root, pathIn(from)), true);
    case 'copy':
      return put(root, path, clone(read(root, pathIn(from))), true);
    case 'test':
      if (JSON.stringify(read(root, path)) !== JSON.stringify(value)) throw bad(`The test at ${path} failed`);
      return;
    default:
      throw bad('The operation of a patch is not known');
  }
}

function pathIn(from: unknown): string {
  if (typeof from !== 'string' || from.startsWith('/')) throw bad('from has no leading slash');
  return from;
}

/** The object or list that a path ends in, and the last step. */
function locate(root: Json, path: string): [Container, string] {
  const steps = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop()!;
  let container: unknown = root;
  for (const step of steps) {
    container = typeof container === 'object' && container !== null ? (container as Container)[step] : undefined;
  }
  if (typeof container !== 'object' || container === null) throw bad(`There is nothing at ${path}`);
  return [container as Container, last];
}

function read(root: Json, path: string): unknown {
  const [container, step] = locate(root, path);
  if (!Object.hasOwn(container, step)) throw bad(`There is nothing at ${path}`);
  return container[step];
}

function put(root: Json, path: string, value: unknown, inserts: boolean): void {
  const [container, step] = locate(root, path);
  if (!Array.isArray(container)) return void (container[step] = value);
  const index = step === '-' ? container.length : Number(step);
  if (!Number.isInteger(index) || index < 0 || index > container.length) throw bad(`There is no place ${path}`);
  container.splice(index, inserts ? 0 : 1, value);
}

function take(root: Json, path: string): unknown {
  const value = read(root, path);
  const [container, step] = locate(root, path);
  if (Array.isArray(container)) container.splice(Number(step), 1);
  else Reflect.deleteProperty(container, step);
  return value;
}

/** A copy. structuredClone would break exact numbers, which are objects. */
function clone<T>(value: T): T {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(clone) as T;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clone(item)])) as T;
}
