import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { refuse } from '../../contract/connector.ts';
import { limitFaults } from '../../contract/validation.ts';
import type { Fault } from '../../core/errors.ts';
import type { MdmClient } from '../client/client.ts';
import { readEntity } from './data-model.ts';
import type { Entity } from './model-digest.ts';
import { submittedSchema } from './record-schema.ts';
import { writeRecord } from '../records/record.ts';

/** A record that is to be submitted. With neither key nor id it is certainly new, and needs its required fields. */
export interface RecordToCheck {
  readonly record: Record<string, unknown>;
  readonly sourcePKey?: string;
  readonly businessId?: string;
}

/**
 * Checks a record against the data model before it is sent.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR`: 400 with every fault, 404 for an entity that the tenant lacks.
 * @example
 * await validateRecord(mdm, 'c360.city', { record: { name: 'Bonn' }, sourcePKey: '2946447' });
 */
export async function validateRecord(mdm: MdmClient, businessEntity: string, record: RecordToCheck): Promise<void> {
  const entity = await readEntity(mdm, businessEntity);
  failOn(faultsOf(entity, record, '/record'));
}

/** The same for the `records` of a batch: the faults of all in one error, at `/records/3/record/…`. */
export async function validateRecords(
  mdm: MdmClient,
  businessEntity: string,
  records: readonly RecordToCheck[],
): Promise<void> {
  const entity = await readEntity(mdm, businessEntity);
  failOn(records.flatMap((record, index) => faultsOf(entity, record, `/records/${index}/record`)));
}

function failOn(faults: Fault[]): void {
  if (faults.length > 0) throw refuse('mdm', limitFaults(faults));
}

function faultsOf(entity: Entity, { record, sourcePKey, businessId }: RecordToCheck, pointer: string): Fault[] {
  const plain: unknown = JSON.parse(writeRecord(record, pointer)); // exact numbers are objects, which no schema knows
  const validator = validatorOf(entity, sourcePKey === undefined && businessId === undefined);
  try {
    const { valid, errors } = validator.validate(plain);
    const faults = errors.flatMap((error) => faultOf(error, pointer));
    return valid || faults.length > 0 ? faults : [{ pointer, message: 'is not valid' }];
  } catch (error) {
    if (!(error instanceof URIError)) throw error; // it cannot write a pointer to a name that has no UTF-8 form
    return [{ pointer, message: 'has a name that is not well-formed Unicode' }];
  }
}

/** Interpreters, as the schemas are the tenant's: Lambda compiles nothing at run time. */
const validators = { new: new WeakMap<Entity, Validator>(), known: new WeakMap<Entity, Validator>() };

function validatorOf(entity: Entity, isNew: boolean): Validator {
  const kept = validators[isNew ? 'new' : 'known'];
  let validator = kept.get(entity);
  if (!validator) kept.set(entity, (validator = new Validator(submittedSchema(entity, { isNew }), '2020-12', false)));
  return validator;
}

function faultOf({ keyword, instanceLocation, error }: OutputUnit, root: string): Fault[] {
  const pointer = `${root}${decodeURIComponent(instanceLocation.slice(1))}`;
  switch (keyword) {
    case 'type':
      return [{ pointer, message: `must be ${quoted(error).slice(1).join(' or ')}` }];
    case 'required':
      return [{ pointer: `${pointer}/${quoted(error)[0]}`, message: 'is required' }];
    case 'false':
      return [{ pointer, message: 'is not a field of the entity' }];
    default:
      return []; // wrapper; the nested error is reported
  }
}

/** What the validator quotes: of `Instance type "number" is invalid. Expected "string".` both types. */
const quoted = (error: string) => [...error.matchAll(/"([^"]*)"/g)].map(([, text]) => text!);
