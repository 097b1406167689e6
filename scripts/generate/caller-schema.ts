import type { TSchema } from 'typebox';

type ObjectSchema = TSchema & { required?: string[]; properties?: Record<string, object> };

/** A contract's input as callers see it: what has a default need not be given. */
export function callerSchema(schema: TSchema): TSchema {
  const { required, properties = {}, ...rest } = schema as ObjectSchema;
  const asked = required?.filter((name) => !('default' in (properties[name] ?? {})));
  return { ...rest, properties, ...(asked?.length ? { required: asked } : {}) };
}
