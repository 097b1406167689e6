import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { ConnectorError, describeFaults, type Fault } from '../core/errors.ts';
import type { MdmClient } from './client.ts';
import { readEntity } from './data-model.ts';
import type { Entity } from './model-digest.ts';
import { recordSchema } from './record-schema.ts';
import { writeRecord } from './record.ts';

/** An interpreter, as the schema is the tenant's: Lambda compiles nothing at run time. */
const validators = new WeakMap<Entity, Validator>();

/**
 * Checks a record against `record-schema` of its entity, before it is sent.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` with every fault.
 */
export async function validateRecord(
  mdm: MdmClient,
  businessEntity: string,
  record: Record<string, unknown>,
): Promise<void> {
  const plain: unknown = JSON.parse(writeRecord(record)); // exact numbers are objects, which no schema knows
  const entity = await readEntity(mdm, businessEntity);
  let validator = validators.get(entity);
  if (!validator) {
    validator = new Validator(recordSchema(entity, 'source-submit'), '2020-12', false);
    validators.set(entity, validator);
  }
  const faults = check(validator, plain);
  if (faults.length > 0) throw new ConnectorError('MDM:CLIENT_ERROR', describeFaults(faults), { status: 400, faults });
}

function check(validator: Validator, record: unknown): Fault[] {
  try {
    const { valid, errors } = validator.validate(record);
    const faults = errors.flatMap(faultOf);
    return valid || faults.length > 0 ? faults : [{ pointer: '/record', message: 'is not valid' }];
  } catch (error) {
    if (!(error instanceof URIError)) throw error; // it cannot write a pointer to a name that has no UTF-8 form
    return [{ pointer: '/record', message: 'has a name that is no well-formed unicode' }];
  }
}

function faultOf({ keyword, instanceLocation, error }: OutputUnit): Fault[] {
  const pointer = `/record${decodeURIComponent(instanceLocation.slice(1))}`;
  switch (keyword) {
    case 'type':
      return [{ pointer, message: `must be ${quoted(error).slice(1).join(' or ')}` }];
    case 'required':
      return [{ pointer: `${pointer}/${quoted(error)[0]}`, message: 'is required' }];
    case 'false':
      return [{ pointer, message: 'is not a field of the entity' }];
    default:
      return []; // tells that something inside has told
  }
}

/** What the validator quotes: of `Instance type "number" is invalid. Expected "string".` both types. */
const quoted = (error: string) => [...error.matchAll(/"([^"]*)"/g)].map(([, text]) => text!);
