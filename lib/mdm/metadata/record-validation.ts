import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { refuse } from '../../contract/refusals.ts';
import { limitFaults, mustBe } from '../../contract/validation.ts';
import { beforeSending, type Fault } from '../../core/errors.ts';
import type { MdmClient } from '../client/client.ts';
import { readEntity } from './data-model.ts';
import type { Entity } from './model-digest.ts';
import { submittedSchema } from './record-schema.ts';
import { writeRecord } from '../records/record.ts';

/** A record to submit. With neither key nor id it is certainly new, and needs its required fields. */
export interface RecordToCheck {
  /** None where the record is to be deleted. */
  readonly record?: Record<string, unknown>;
  readonly sourcePKey?: string;
  readonly businessId?: string;
}

/**
 * Checks a record against the data model.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR`: 400 with every fault, 404 for an unknown entity.
 * @example
 * await validateRecord(mdm, 'c360.city', { record: { name: 'Bonn' }, sourcePKey: '2946447' });
 */
export async function validateRecord(mdm: MdmClient, businessEntity: string, record: RecordToCheck): Promise<void> {
  const entity = await entityOf(mdm, businessEntity);
  failOn(faultsOf(entity, record, '/record'));
}

/** The same for the `records` of a batch, with all faults in one error, at `/records/3/record/…`. */
export async function validateRecords(
  mdm: MdmClient,
  businessEntity: string,
  records: readonly RecordToCheck[],
): Promise<void> {
  const entity = await entityOf(mdm, businessEntity);
  failOn(records.flatMap((record, index) => faultsOf(entity, record, `/records/${index}/record`)));
}

/** The data model of the entity. Whatever its reading fails with, the record was not sent. */
function entityOf(mdm: MdmClient, businessEntity: string): Promise<Entity> {
  return readEntity(mdm, businessEntity).catch((error: unknown) => {
    throw beforeSending(error);
  });
}

function failOn(faults: Fault[]): void {
  if (faults.length > 0) throw refuse('mdm', limitFaults(faults));
}

function faultsOf(entity: Entity, { record, sourcePKey, businessId }: RecordToCheck, pointer: string): Fault[] {
  if (record === undefined) return [];
  // exact numbers are objects, which a schema does not accept
  const plain: unknown = JSON.parse(writeRecord(record, pointer));
  const validator = validatorOf(entity, sourcePKey === undefined && businessId === undefined);
  try {
    const { valid, errors } = validator.validate(plain);
    const faults = errors.flatMap((error) => faultOf(error, pointer));
    return valid || faults.length > 0 ? faults : [{ pointer, message: 'is not valid' }];
  } catch (error) {
    if (!(error instanceof URIError)) throw error; // a name without a UTF-8 form has no pointer
    return [{ pointer, message: 'has a name that is not well-formed Unicode' }];
  }
}

/** Interprets schemas, because the tenant's are not known at build time. */
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
      return [{ pointer, message: mustBe(quoted(error).slice(1)) }];
    case 'required':
      return [{ pointer: `${pointer}/${quoted(error)[0]}`, message: 'is required' }];
    case 'pattern':
      return [{ pointer, message: 'must be a number, or a decimal number as text' }];
    case 'false':
      return [{ pointer, message: 'is not a field of the entity' }];
    default:
      return []; // a wrapper of the reported error
  }
}

/**
 * The quoted words of the validator's message: `Instance type "number" is invalid. Expected "string".` has two types.
 */
const quoted = (error: string) => [...error.matchAll(/"([^"]*)"/g)].map(([, text]) => text!);
