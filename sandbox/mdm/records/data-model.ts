/** A field of a business entity, as in `tenantModel/datamodel`. A field with fields of its own is a group. */
export interface ModelField {
  name: string;
  label: { en: string };
  eClass: string;
  allowMany?: boolean;
  required?: boolean;
  /** A lookup's list of codes. */
  codeField?: { lookupType: string };
  field?: ModelField[];
}

export interface ModelEntity {
  guid: string;
  name: string;
  storage: string;
  field: ModelField[];
}

const CORE = 'http://www.example.com/mdm/Core#//';

type FieldOptions = Pick<ModelField, 'allowMany' | 'required'>;

const field = (type: string, name: string, label: string, options: FieldOptions = {}): ModelField => ({
  name,
  label: { en: label },
  eClass: `${CORE}${type}Field`,
  allowMany: false,
  ...options,
});
const lookup = (name: string, label: string, lookupType: string, options: FieldOptions = {}): ModelField => ({
  ...field('Lookup', name, label, options),
  codeField: { lookupType },
});
const group = (name: string, label: string, options: FieldOptions, fields: ModelField[]): ModelField => ({
  ...field('Text', name, label, options),
  eClass: `${CORE}FieldGroup`,
  field: fields,
});

const person: ModelEntity = {
  guid: 'c360.person',
  name: 'Person',
  storage: 'ent',
  field: [
    lookup('prefix', 'Prefix', 'namePrefix'),
    field('Text', 'firstName', 'First Name', { required: true }),
    field('Text', 'middleName', 'Middle Name'),
    field('Text', 'lastName', 'Last Name', { required: true }),
    field('Date', 'birthDate', 'Birth Date'),
    lookup('gender', 'Gender', 'gender'),
    lookup('citizenship', 'Citizenship', 'country', { allowMany: true }),
    field('Boolean', 'vip', 'VIP'),
    field('Integer', 'loyaltyPoints', 'Loyalty Points'),
    field('Decimal', 'creditLimit', 'Credit Limit'),
    field('DateTime', 'lastContact', 'Last Contact'),
    group('PostalAddress', 'Postal Address', { allowMany: true }, [
      lookup('addressType', 'Address Type', 'addressType'),
      field('Text', 'addressLine1', 'Address Line 1', { required: true }),
      field('Text', 'city', 'City'),
      field('Text', 'postalCode', 'Postal Code'),
      lookup('country', 'Country', 'country'),
      group('geocode', 'Geocode', {}, [
        field('Double', 'latitude', 'Latitude'),
        field('Double', 'longitude', 'Longitude'),
      ]),
    ]),
    group('ElectronicAddress', 'Electronic Address', { allowMany: true }, [
      field('Text', 'email', 'E-mail', { required: true }),
      field('Boolean', 'preferred', 'Preferred'),
    ]),
    group('Phone', 'Phone', { allowMany: true }, [field('Text', 'number', 'Number', { required: true })]),
  ],
};

const city: ModelEntity = {
  guid: 'c360.city',
  name: 'City',
  storage: 'ent',
  field: [
    field('Text', 'name', 'Name', { required: true }),
    field('Text', 'asciiName', 'Name in ASCII'),
    field('Text', 'alternateName', 'Alternate Name', { allowMany: true }),
    lookup('country', 'Country', 'country', { required: true }),
    field('Text', 'adminCode', 'Administrative Division'),
    field('Text', 'featureCode', 'Feature Code'),
    field('Integer', 'population', 'Population'),
    field('Text', 'timeZone', 'Time Zone'),
    field('DateTime', 'surveyedAt', 'Surveyed At'),
    group('location', 'Location', {}, [
      field('Double', 'latitude', 'Latitude', { required: true }),
      field('Double', 'longitude', 'Longitude', { required: true }),
    ]),
  ],
};

/** Internal entities of a tenant, which clients omit from lists. */
const internal: ModelEntity[] = ['rdm.codeList', 'c360.enum.status', 'c360.template.person'].map((guid) => ({
  guid,
  name: guid,
  storage: 'ent',
  field: [field('Text', 'code', 'Code')],
}));

export const ENTITIES: readonly ModelEntity[] = [person, city];

/** Ids and names of the source systems that may submit. */
export const SOURCE_SYSTEMS = {
  'c360.default.system': 'Customer 360',
  crm: 'CRM',
  erp: 'ERP',
  geonames: 'GeoNames',
  gazetteer: 'Gazetteer',
} as const;

/** A kind of relationship between golden records. */
export interface ModelRelationship {
  guid: string;
  name: string;
  from: string;
  to: string;
  /** Its attributes. */
  field: ModelField[];
}

/** The kinds of relationships; further ones are numbered. */
export function relationshipKinds({ relationships = 1 }: DataModelOptions = {}): ModelRelationship[] {
  const attributes = [field('Date', 'since', 'Since'), field('Text', 'reason', 'Reason')];
  const kind = (guid: string, name: string) => ({
    guid,
    name,
    from: 'c360.person',
    to: 'c360.city',
    field: attributes,
  });
  const further = Array.from({ length: relationships - 1 }, (_, index) =>
    kind(`c360.relationship${index + 2}`, `Relationship ${index + 2}`),
  );
  return [kind('c360.livesIn', 'Lives in'), ...further];
}

export interface DataModelOptions {
  /** Place of source systems: in a list at the root, or inside their entity. Default root. */
  sourceSystemsAt?: 'root' | 'entity';
  /** Minimum bytes of the model, filled with relationships like a large tenant's. Default 0. */
  bytes?: number;
  /** Number of kinds of relationships. Default 1. */
  relationships?: number;
}

/** The data model of the tenant, as JSON. */
export function writeDataModel(options: DataModelOptions = {}): string {
  const { sourceSystemsAt = 'root', bytes = 0 } = options;
  const systems = Object.entries(SOURCE_SYSTEMS).map(([id, displayName]) => ({ id, displayName }));
  const entities = ENTITIES.map((entity) =>
    sourceSystemsAt === 'entity' ? { ...entity, sourceSystem: systems } : entity,
  );
  const model = {
    businessEntity: [...entities, ...internal],
    relationship: relationshipKinds(options),
    fieldGroups: [],
    lookupTypes: ['country', 'gender', 'namePrefix', 'addressType'].map((guid) => ({ guid, name: guid })),
    ...(sourceSystemsAt === 'root' && {
      sourceSystem: ENTITIES.flatMap(({ guid }) =>
        systems.map((system) => ({ ...system, businessEntity: { $ref: `//@businessEntity[guid='${guid}']` } })),
      ),
    }),
  };
  const text = JSON.stringify(model);
  return text.length >= bytes ? text : `${text.slice(0, -1)},"view":${writeViews(bytes - text.length)}}`;
}

function writeViews(bytes: number): string {
  const view = JSON.stringify({ guid: 'c360.view.person', name: 'Person View', field: person.field });
  return `[${Array.from({ length: Math.ceil(bytes / view.length) }, () => view).join(',')}]`;
}
