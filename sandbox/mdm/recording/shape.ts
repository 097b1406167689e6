/*
 * The shape of a JSON value: its members, its lists and the types of its values, without the values. What the recorder
 * wrote itself stays as it is, after an equals sign.
 */

export type Shape = string | readonly Shape[] | { readonly [member: string]: Shape };

type Json = Record<string, unknown>;

const URL_TEXT = /^https?:\/\/\S+$/;
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/;
/** The members of a record that its services make; all others are fields of the tenant's data model. */
const SERVICE_FIELD = /^_/;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shape of a value. @param written texts that are kept */
export function shapeOf(value: unknown, written: ReadonlySet<string> = new Set()): Shape {
  if (Array.isArray(value)) {
    const items = value.map((item) => shapeOf(item, written));
    return items.length === 0 ? [] : [items.reduce(merge)];
  }
  if (isObject(value)) {
    const members = Object.entries(value).filter(([name]) => isOfShape(name, value));
    return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member, written)]));
  }
  if (typeof value === 'string') return written.has(value) ? `=${value}` : textShape(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
}

/** A record's own fields are the tenant's, and differ from entity to entity. */
const isOfShape = (name: string, object: Json) => !('_meta' in object) || SERVICE_FIELD.test(name);

function textShape(text: string): string {
  if (text === '') return 'empty text';
  if (URL_TEXT.test(text)) return 'url';
  if (TIME.test(text)) return 'time';
  return /^\d+$/.test(text) ? 'digits' : 'text';
}

/** The shape of two items of a list. */
function merge(one: Shape, other: Shape): Shape {
  if (isList(one) && isList(other)) {
    const [first, second] = [one[0], other[0]];
    if (first === undefined || second === undefined) return first === undefined ? other : one;
    return [merge(first, second)];
  }
  if (isMembers(one) && isMembers(other)) return mergeMembers(one, other);
  return one === 'null' ? other : one;
}

/** A member that not every item of a list has is followed by a question mark. */
const OPTIONAL = /\?$/;

/** The name of a member in the body. */
export const memberName = (name: string): string => name.replace(OPTIONAL, '');

function mergeMembers(one: Record<string, Shape>, other: Record<string, Shape>): Shape {
  const names = new Set([...Object.keys(one), ...Object.keys(other)].map(memberName));
  const memberOf = (members: Record<string, Shape>, name: string) => members[name] ?? members[`${name}?`];
  const merged = Array.from(names, (name): [string, Shape] => {
    const [first, second] = [memberOf(one, name), memberOf(other, name)];
    const isAlways = name in one && name in other;
    const shape = first === undefined || second === undefined ? (first ?? second ?? 'null') : merge(first, second);
    return [isAlways ? name : `${name}?`, shape];
  });
  return Object.fromEntries(merged);
}

const isList = (shape: Shape | undefined): shape is readonly Shape[] => Array.isArray(shape);

export const isMembers = (shape: Shape | undefined): shape is Record<string, Shape> =>
  typeof shape === 'object' && !Array.isArray(shape);

const SAMPLES: Readonly<Record<string, unknown>> = {
  text: 'text',
  'empty text': '',
  time: '2026-01-01T00:00:00.000Z',
  digits: '1',
  integer: 1,
  number: 1.5,
  boolean: false,
  null: null,
};

/**
 * A value in this shape: with the values of `truth` where it has them in the same place, else with samples. Fields of
 * records come from the truth alone. Lists have as many items as the truth, and its items where none was recorded.
 *
 * @param url takes the place of an address that the truth lacks
 */
export function reshape(shape: Shape, truth: unknown, url: string): unknown {
  if (Array.isArray(shape)) {
    const [item] = shape as readonly Shape[];
    const items = Array.isArray(truth) ? truth : [];
    return item === undefined ? items : items.map((one) => reshape(item, one, url));
  }
  if (isMembers(shape)) {
    const from = isObject(truth) ? truth : {};
    const present = Object.entries(shape).filter(([name]) => !OPTIONAL.test(name) || memberName(name) in from);
    const members = present.map(([name, member]) => [memberName(name), reshape(member, from[memberName(name)], url)]);
    const fields = '_meta' in shape ? Object.entries(from).filter(([name]) => !SERVICE_FIELD.test(name)) : [];
    return Object.fromEntries([...members, ...fields]);
  }
  const text = shape as string;
  if (text.startsWith('=')) return text.slice(1);
  if (truth !== undefined && sameKind(shapeOf(truth), text)) return truth;
  return text === 'url' ? url : SAMPLES[text];
}

const TEXTS = ['text', 'empty text', 'time', 'digits', 'url'];
const NUMBERS = ['integer', 'number'];

/** Whether values of two shapes have the same type. */
export const sameKind = (one: Shape, other: Shape): boolean =>
  one === other || [TEXTS, NUMBERS].some((kinds) => kinds.includes(one as string) && kinds.includes(other as string));

/** How many members one of two shapes has and the other has not. */
export function distance(one: Shape | undefined, other: Shape | undefined): number {
  if (one === undefined || other === undefined) return one === other ? 0 : 1;
  if (isList(one) && isList(other)) return distance(one[0], other[0]);
  if (!isMembers(one) || !isMembers(other)) return isMembers(one) === isMembers(other) ? 0 : 1;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Array.from(names).reduce((sum, name) => sum + distance(one[name], other[name]), 0);
}
