import { describe, expect, it } from '@jest/globals';
import { digestModel } from '#lib/mdm/metadata/model-digest.ts';
import { submittedSchema } from '#lib/mdm/metadata/record-schema.ts';
import { Validator } from '@cfworker/json-schema';

const [entity] = digestModel({
  businessEntity: [
    {
      guid: 'c360.shop',
      field: [
        { name: 'price', eClass: 'Core#//DecimalField' },
        { identifier: 'note', eClass: 'Core#//LongTextField', field: [] },
      ],
    },
  ],
}).entities;
const validator = new Validator(submittedSchema(entity!, { isNew: true }), '2020-12', false);

describe('a submitted record', () => {
  it.each([{ price: '0.10' }, { price: -1.5 }, { price: '12345678901234567890.12' }, { price: null }, { note: 'x' }])(
    'a submitted record may hold %j',
    (record) => {
      expect(validator.validate(record).valid).toBe(true);
    },
  );

  it.each([{ price: 'much' }, { price: '1,5' }, { price: '' }, { note: 1 }, { name: 'x' }])(
    'a submitted record may not hold %j',
    (record) => {
      expect(validator.validate(record).valid).toBe(false);
    },
  );
});
