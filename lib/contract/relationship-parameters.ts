import Type from 'typebox';
import { BusinessEntity, BusinessId, ObjectInternalId } from './mdm-parameters.ts';
import { rule } from './operation.ts';

export const RelationshipId = {
  ...ObjectInternalId,
  description: 'Internal id of the relationship; `metadata-read` of RELATIONSHIP lists them.',
};

const end = (description: string) =>
  Type.Object({ businessEntity: BusinessEntity, businessId: BusinessId }, { additionalProperties: false, description });

export const From = end('The master record that it starts from.');
export const To = end('The master record that it leads to.');

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

export const Hierarchy = Type.Object(
  { type: text('Type of the hierarchy.'), id: text('Id of the hierarchy.') },
  { additionalProperties: false, minProperties: 1, description: 'The hierarchy that the relationship belongs to.' },
);

export const oneEnd = {
  allOf: [rule({ anyOf: [{ required: ['from'] }, { required: ['to'] }] }, 'must have from or to')],
};
