import { describe, expect, it } from '@jest/globals';
import { digestModel } from '#lib/mdm/metadata/model-digest.ts';

const system = (id: string, businessEntity?: unknown) => ({ id, displayName: id.toUpperCase(), businessEntity });
const idsOf = (list: readonly { id: string }[] = []) => list.map(({ id }) => id);

describe('the digest of a data model', () => {
  const model = digestModel({
    businessEntity: [
      { guid: 'c360.a', name: 'A', field: [], sourceSystem: [system('nested')] },
      { guid: 'rdm.country', name: 'Country' },
      { guid: 'c360.enumeration.x' },
      { guid: 'c360.template.x' },
      { guid: 'c360.b' },
      'nonsense',
      {},
    ],
    sourceSystem: [
      system('by-guid', { $ref: "//@businessEntity[guid='c360.a']" }),
      system('by-position', { $ref: '//@businessEntity.4' }),
      system('of-both', [{ $ref: '//@businessEntity.0' }, { $ref: '//@businessEntity.4' }]),
      system('of-all'),
      system('of-none', { $ref: "//@businessEntity[guid='c360.gone']" }),
    ],
  });

  it('the digest leaves out reference data, enumerations, templates and non-entities', () => {
    expect(model.entities.map(({ id, displayName }) => [id, displayName])).toEqual([
      ['c360.a', 'A'],
      ['c360.b', 'c360.b'],
    ]);
  });

  it('the digest finds source systems nested in entities, by guid, by position, in lists, and global ones', () => {
    const [a, b] = model.entities;

    expect(idsOf(a?.sourceSystems)).toEqual(['nested', 'by-guid', 'of-both', 'of-all']);
    expect(idsOf(b?.sourceSystems)).toEqual(['by-position', 'of-both', 'of-all']);
    expect(idsOf(model.sourceSystems)).toEqual(['nested', 'by-guid', 'of-both', 'of-all', 'by-position', 'of-none']);
  });

  it('the digest reads ids from guid, id or identifier, and source systems given as text', () => {
    const { entities, sourceSystems } = digestModel({
      businessEntity: [
        { id: 'c360.a', name: 'A', sourceSystem: ['crm', { identifier: 'erp', displayName: 'ERP' }, {}, 7, null] },
        { identifier: 'c360.b', sourceSystem: 'crm' },
      ],
      sourceSystem: [
        { identifier: 'by-id', businessEntity: { $ref: "//@businessEntity[id='c360.b']" } },
        { id: 'by-name', businessEntity: 'c360.b' },
        { id: 'by-object', businessEntity: { guid: 'c360.a' } },
        'of-all',
      ],
    });

    expect(entities.map(({ id, displayName }) => [id, displayName])).toEqual([
      ['c360.a', 'A'],
      ['c360.b', 'c360.b'],
    ]);
    expect(entities.map((entity) => idsOf(entity.sourceSystems))).toEqual([
      ['crm', 'erp', 'by-object', 'of-all'],
      ['crm', 'by-id', 'by-name', 'of-all'],
    ]);
    expect(sourceSystems).toContainEqual({ id: 'erp', displayName: 'ERP' });
  });

  it.each([
    ['custom.phonenumber', true],
    ['custom.phonenum', true],
    ['custom.contemplate', true],
    ['custom.rdm', true],
    ['rdm.country', false],
    ['c360.enum.status', false],
    ['c360.enumeration', false],
    ['c360.statusEnum', false],
    ['c360.person_enum', false],
    ['c360.template.person', false],
    ['c360.PersonTemplates', false],
  ])('the digest lists %s among the business entities: %s', (guid, listed) => {
    expect(digestModel({ businessEntity: [{ guid }] }).entities).toHaveLength(listed ? 1 : 0);
  });

  it.each([
    [{ eClass: 'http://x/Core#//TextField' }, 'text'],
    [{ eClass: 'http://x/Core#//LongField' }, 'integer'],
    [{ eClass: 'http://x/Core#//DecimalField' }, 'number'],
    [{ eClass: 'http://x/Core#//LongTextField' }, 'text'],
    [{ eClass: 'http://x/Core#//TextField', field: [] }, 'text'],
    [{ eClass: 'http://x/Core#//FieldGroup', field: [] }, 'group'],
    [{ eClass: 'http://x/Core#//BooleanField' }, 'boolean'],
    [{ eClass: 'http://x/Core#//DateTimeField' }, 'date'],
    [{ eClass: 'http://x/Core#//LookupField' }, 'lookup'],
    [{ codeField: {} }, 'lookup'],
    [{ field: [] }, 'group'],
    [{ eClass: 'http://x/Core#//FileField' }, 'unknown'],
    [{}, 'unknown'],
  ])('the digest reads a field %j as %s', (field, kind) => {
    const { entities } = digestModel({ businessEntity: [{ guid: 'e', field: [{ name: 'f', ...field }] }] });

    expect(entities[0]?.fields[0]).toMatchObject({ name: 'f', kind, many: false, required: false });
  });
});
