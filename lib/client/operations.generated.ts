// Generated from the contracts by npm run generate. Do not edit.

import type { AnyRecord, Changes, Prefixed, Read } from './records.ts';

/** Any JSON value. */
export type AnyJson = Record<string, unknown> | unknown[] | string | number | boolean | null;
/** A golden record, as `mdm-master-read` returns it. */
export type GoldenRecord<Fields = AnyRecord> = Read<Fields, RecordMeta>;
/** A source record, as `mdm-source-read` returns it. */
export type SourceRecord<Fields = AnyRecord> = Read<Fields, SourceMeta>;
/** A golden record, as `mdm-search` returns it. */
export type FoundRecord<Entity extends string = string, Fields = AnyRecord> = Read<Prefixed<Entity, Fields>, FoundMeta>;

/** `_meta` of a golden record. */
export interface RecordMeta {
  businessId?: string | number;
  businessEntity?: string;
  states?: { base?: string; validation?: string; consolidation?: string };
  createdBy?: string;
  /** Epoch milliseconds, or a date as text. */
  creationDate?: number | string;
  updatedBy?: string;
  /** Epoch milliseconds, or a date as text. */
  lastUpdateDate?: number | string;
}
/** `_meta` of a source record. */
export interface SourceMeta extends RecordMeta {
  sourceSystem?: string;
  sourcePrimaryKey?: string;
  /** Epoch milliseconds, or a date as text. */
  sourceLastUpdatedDate?: number | string;
  xrefType?: string;
}
/** `_meta` of a record that a search found. */
export interface FoundMeta extends RecordMeta {
  score?: number;
}
/** What every operation takes. */
export interface Configured {
  /** Connector configuration: the name of the secret that holds the connections. */
  configRef?: string;
}
/** Parameters of `mdm-business-entities`. */
export interface MdmBusinessEntitiesInput extends Configured {}
export type NamedList = {
  /** Internal id. */
  id: string;
  /** Display name. */
  displayName: string;
}[];
export interface CodelistValues {
  /** Read only the values that changed at this time or later: `2026-01-31T00:00:00Z`. */
  modifiedSince?: string;
  code?: never;
}
export interface CodelistValue {
  modifiedSince?: never;
  /** Read only the value with this code. */
  code: string;
}
/** What every form of `MdmCodelistReadInput` has. */
export interface MdmCodelistReadInputCommon extends Configured {
  /** Id of the code list. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  id: string;
}
/** Parameters of `mdm-codelist-read`. */
export type MdmCodelistReadInput = MdmCodelistReadInputCommon & (CodelistValues | CodelistValue);
/** Attributes of every response of the MDM. */
export interface CommonAttributes {
  /** HTTP status that the API returned. */
  statusCode: number;
  /** The API's request id, for its support team. */
  requestId?: string;
}
export interface MdmCodelistReadOutput {
  /** `content` lists the values, as the API returns them. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Whether this is all: false if the read stopped early, at 6 MB, at the deadline, or because the service repeats a page. */
    complete: boolean;
  };
}
/** Parameters of `mdm-check`. */
export interface MdmCheckInput<Entity extends string = string> extends Configured {
  /** Internal id of the business entity; `business-entities` lists them. */
  businessEntity?: Entity;
  /** The mildest status that counts as a failure: `ok` is then false, and a direct or scheduled invocation fails. */
  failOn?: 'failed' | 'warning';
}
export interface MdmCheckOutput {
  /** Whether no check has the status that `failOn` names, or a worse one. */
  ok: boolean;
  /** All checks, in their order. */
  checks: {
    /** What was checked. */
    name: string;
    /** `skipped`: it could not be checked, because an earlier check failed or a right is missing. */
    status: 'passed' | 'warning' | 'failed' | 'skipped';
    /** How long it took, in milliseconds. */
    ms: number;
    /** What was found. */
    detail: string;
    /** What to do about it. */
    hint?: string;
  }[];
}
/** Query parameters. A list repeats its parameter. */
export type Query = Record<string, string | number | boolean | (string | number | boolean)[]>;
/** Request headers. Those of the session, credentials, host, framing and forwarding (`x-forwarded-…`) are refused. */
export type RequestHeaders = Record<string, string>;
export interface RequestWithBody {
  /** Request body. Text is sent unchanged, `{base64, contentType}` as bytes, and any other value as JSON. */
  body?: AnyJson;
  /** HTTP method. */
  method: 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
}
export interface RequestWithoutBody {
  body?: never;
  /** HTTP method. */
  method: 'GET' | 'HEAD';
}
/** What every form of `MdmHttpRequestInput` has. */
export interface MdmHttpRequestInputCommon extends Configured {
  /** Path under the base URL, starting with a slash. Percent-encode reserved and non-ASCII characters. Must begin with one slash: a path of the API, not a URL. Must have no space at its end: encode it as %20. Must have no dot segments. Must have no control characters, \, ? or #; put the query into `query`. */
  path: string;
  /** Query parameters. A list repeats its parameter. */
  query?: Query;
  /** Request headers. Those of the session, credentials, host, framing and forwarding (`x-forwarded-…`) are refused. */
  headers?: RequestHeaders;
  /** Whether a status other than 2xx is an error. With `false` it is a result: read `attributes.statusCode`. Such a response is not retried. A renewed session and faults of the connection are as ever. */
  throwOnError?: boolean;
}
/** Parameters of `mdm-http-request`. */
export type MdmHttpRequestInput = MdmHttpRequestInputCommon & (RequestWithBody | RequestWithoutBody);
export interface MdmHttpRequestOutput {
  /** Body of the response. */
  payload: AnyJson;
  attributes: CommonAttributes & {
    /** Reason phrase of the status line. */
    reasonPhrase: string;
    /** Response headers, lower-case, without cookies. */
    headers: Record<string, string>;
  };
}
/** Parameters of `mdm-job-read`. */
export interface MdmJobReadInput extends Configured {
  /** Id of the job, as text because it may exceed 2^53. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  id: string;
}
export interface JobOutput {
  /** The job, as the API returns it. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Id of the job as text, exact even beyond 2^53. */
    id?: string;
  };
}
/** Parameters of `mdm-job-start`. */
export interface MdmJobStartInput extends Configured {
  /** Id of the job definition, as text. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  jobDefinitionId: string;
  /** `ingress` imports records; `egress` exports them; `match-and-merge` finds and merges duplicates. */
  kind: 'ingress' | 'egress' | 'match-and-merge';
}
export interface MdmJobStartOutput {
  /** The API's response, with the id that it names in `Location`; empty if it says nothing. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Id of the job as text, exact even beyond 2^53; absent if the API does not name it. */
    id?: string;
    /** Whether a person must approve the change first. */
    approvalRequired?: boolean;
    /** Id of the change list that waits for approval, if the API names one. */
    changeListId?: string;
  };
}
/** Names a business entity. */
export interface OfEntity<Entity extends string = string> {
  /** Internal id of the business entity; `business-entities` lists them. */
  businessEntity: Entity;
}
/** Names a golden record. */
export interface GoldenKey<Entity extends string = string> extends OfEntity<Entity> {
  /** Id of the golden record. Send it as text even if it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  businessId: string;
}
/** Parameters of `mdm-master-delete`. */
export interface MdmMasterDeleteInput<Entity extends string = string> extends GoldenKey<Entity>, Configured {}
export interface ChangeOutput {
  /** The API's response, with the id that it names in `Location`; empty if it says nothing. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Id of the golden record, if the API names it. */
    businessId?: string;
    /** Whether a person must approve the change first. */
    approvalRequired?: boolean;
    /** Id of the change list that waits for approval, if the API names one. */
    changeListId?: string;
  };
}
export interface PatchWithValue {
  /** The value to add, replace or test: any JSON, including `null`. */
  value: AnyJson;
  /** JSON Pointer into the record, with or without a leading slash: `/name`, `PostalAddress/0/city`. */
  from?: string;
  /** What to do at the path. */
  op: 'add' | 'replace' | 'test';
}
export interface PatchWithFrom {
  /** The value to add, replace or test: any JSON, including `null`. */
  value?: AnyJson;
  /** JSON Pointer into the record, with or without a leading slash: `/name`, `PostalAddress/0/city`. */
  from: string;
  /** What to do at the path. */
  op: 'move' | 'copy';
}
export interface PatchRemoval {
  /** The value to add, replace or test: any JSON, including `null`. */
  value?: AnyJson;
  /** JSON Pointer into the record, with or without a leading slash: `/name`, `PostalAddress/0/city`. */
  from?: string;
  /** What to do at the path. */
  op: 'remove';
}
/** What every form of `PatchOperation` has. */
export interface PatchOperationCommon {
  /** JSON Pointer into the record, with or without a leading slash: `/name`, `PostalAddress/0/city`. */
  path: string;
}
export type PatchOperation = PatchOperationCommon & (PatchWithValue | PatchWithFrom | PatchRemoval);
/** JSON Patch (RFC 6902): operations on the record, in order. */
export type PatchOperations = PatchOperation[];
/** Parameters of `mdm-master-patch`. */
export interface MdmMasterPatchInput<Entity extends string = string> extends GoldenKey<Entity>, Configured {
  /** Id of the source system that makes the change; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Primary key of the source record that carries the change. Without it, the API chooses one. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
  sourcePKey?: string;
  /** JSON Patch (RFC 6902): operations on the record, in order. */
  operations: PatchOperations;
}
export interface ByBusinessId {
  /** Id of the golden record. Send it as text even if it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  businessId: string;
  sourceSystem?: never;
  sourcePKey?: never;
}
export interface BySourceKey {
  businessId?: never;
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
  sourcePKey: string;
}
/** What every form of `MdmMasterReadInput` has. */
export interface MdmMasterReadInputCommon<Entity extends string = string> extends OfEntity<Entity>, Configured {
  /** Use cached values for picklist lookups. */
  skipLookup?: boolean;
  /** Include `_contentMeta`: trust scores, survivorship and data enhancement rules. */
  showContentMeta?: boolean;
  /** Return only pending (unmerged) records, which wait for a review of their creation, change or deletion. */
  showPending?: boolean;
}
/** Parameters of `mdm-master-read`. */
export type MdmMasterReadInput<Entity extends string = string> = MdmMasterReadInputCommon<Entity> &
  (ByBusinessId | BySourceKey);
/** Attributes of a record. */
export interface RecordAttributes {
  /** Id of the golden record. */
  businessId?: string;
  /** Internal id of the business entity. */
  businessEntity?: string;
  /** Who created it. */
  createdBy?: string;
  /** When it was created, in epoch milliseconds. */
  creationDate?: string;
  /** Who last updated it. */
  updatedBy?: string;
  /** When it was last updated, in epoch milliseconds. */
  lastUpdateDate?: string;
}
export interface MdmMasterReadOutput<Fields = AnyRecord> {
  /** The golden record with `_meta`, and with `_contentMeta` if you asked for it. */
  payload: GoldenRecord<Fields>;
  attributes: RecordAttributes &
    CommonAttributes & {
      /** Lifecycle: ACTIVE, INACTIVE, PENDING or another. */
      state?: string;
      /** Data quality: PENDING, PASSED, FAILED, IN_PROGRESS, … */
      validation?: string;
      /** Match and merge: MATCH_INDEXED, CONSOLIDATED, … */
      consolidation?: string;
    };
}
/** Parameters of `mdm-master-update`. */
export interface MdmMasterUpdateInput<Entity extends string = string, Fields = AnyRecord>
  extends GoldenKey<Entity>, Configured {
  /** Id of the source system that makes the change; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Primary key of the source record that carries the change. Without it, the API chooses one. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
  sourcePKey?: string;
  /** The whole record, with the field names of the business entity. */
  record: Fields;
  /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
  sourceLastUpdated?: number | string;
}
/** Parameters of `mdm-match`. */
export interface MdmMatchInput<Entity extends string = string, Fields = AnyRecord>
  extends OfEntity<Entity>, Configured {
  /** Fields to match, by their names in the business entity. Must not have maxRecordsToReturn or searchLevel: give maxRecords, searchLevel. */
  record: Changes<Fields>;
  /** The match model. Default: the business entity's own. */
  matchModel?: string;
  /** Maximum number of candidates. The API defaults to 100. */
  maxRecords?: number;
  /** How widely to search: a level of the match model. */
  searchLevel?: string;
}
export interface MdmMatchOutput {
  /** The candidates with their scores, as the API returns them. */
  payload: AnyJson;
  attributes: CommonAttributes;
}
/** Records to merge, each by `businessId` or by a source key. */
export type RecordsToMerge = (ByBusinessId | BySourceKey)[];
/** Parameters of `mdm-merge`. */
export interface MdmMergeInput<Entity extends string = string> extends OfEntity<Entity>, Configured {
  /** Records to merge, each by `businessId` or by a source key. */
  records: RecordsToMerge;
}
/** Parameters of `mdm-merge-preview`. */
export interface MdmMergePreviewInput<Entity extends string = string> extends OfEntity<Entity>, Configured {
  /** Records to merge, each by `businessId` or by a source key. */
  records: RecordsToMerge;
}
export interface MdmMergePreviewOutput<Fields = AnyRecord> {
  /** The golden record with `_meta`, and with `_contentMeta` if you asked for it. */
  payload: GoldenRecord<Fields>;
  attributes: RecordAttributes &
    CommonAttributes & {
      /** Lifecycle: ACTIVE, INACTIVE, PENDING or another. */
      state?: string;
      /** Data quality: PENDING, PASSED, FAILED, IN_PROGRESS, … */
      validation?: string;
      /** Match and merge: MATCH_INDEXED, CONSOLIDATED, … */
      consolidation?: string;
    };
}
export interface MetadataOfModel {
  /** Kind of metadata to read. */
  resource: 'DATAMODEL';
  /** For RELATIONSHIP: read all pages. */
  allPages?: false;
  objectInternalId?: never;
  pageSize?: never;
  pageOffset?: never;
}
export interface MetadataOfObject {
  /** Kind of metadata to read. */
  resource: 'BUSINESS_ENTITY' | 'REFERENCE_ENTITY' | 'VIEW' | 'EXTERNAL_RESOURCE';
  /** For RELATIONSHIP: read all pages. */
  allPages?: false;
  /** Internal id of the object. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  objectInternalId: string;
  pageSize?: never;
  pageOffset?: never;
}
export interface MetadataOfRelationships {
  /** Kind of metadata to read. */
  resource: 'RELATIONSHIP';
  /** For RELATIONSHIP: read all pages. */
  allPages?: boolean;
  objectInternalId?: never;
  /** For RELATIONSHIP: objects per page. */
  pageSize?: number;
  /** For RELATIONSHIP: page number, from 0. */
  pageOffset?: number;
}
/** What every form of `MdmMetadataReadInput` has. */
export interface MdmMetadataReadInputCommon extends Configured {
  /** Only objects with this name. */
  name?: string;
}
/** Parameters of `mdm-metadata-read`. */
export type MdmMetadataReadInput = MdmMetadataReadInputCommon &
  (MetadataOfModel | MetadataOfObject | MetadataOfRelationships);
export interface MdmMetadataReadOutput {
  /** The metadata, as the API returns it. */
  payload: AnyJson;
  attributes: CommonAttributes & {
    /** From the request. */
    resource: string;
    /** From the request. */
    objectInternalId?: string;
    /** With `allPages`: false if the read stopped early, at 6 MB or the deadline. */
    complete?: boolean;
  };
}
/** Parameters of `mdm-record-schema`. */
export interface MdmRecordSchemaInput<Entity extends string = string> extends OfEntity<Entity>, Configured {
  /** Operation whose records the schema describes. */
  operation: 'master-read' | 'search' | 'source-read' | 'source-submit';
}
/** The schema. */
export type MdmRecordSchemaOutput = AnyRecord;
/** Parameters of `mdm-relationship-create`. */
export interface MdmRelationshipCreateInput<Entity extends string = string> extends Configured {
  /** Internal id of the relationship. `metadata-read` lists them (`resource: RELATIONSHIP`). Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  relationship: string;
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** The golden record at the start of the relationship. */
  from: GoldenKey<Entity>;
  /** The golden record at the end of the relationship. */
  to: GoldenKey<Entity>;
  /** The hierarchy that the relationship belongs to. */
  hierarchy?: {
    /** Type of the hierarchy. */
    type?: string;
    /** Id of the hierarchy. */
    id?: string;
  };
  /** The relationship's own attributes, by their names in the data model. Must not have _from or _to: give from and to. */
  attributes?: AnyRecord;
}
export interface MdmRelationshipCreateOutput {
  /** The API's response, with the id that it names in `Location`; empty if it says nothing. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Id of the relationship, if the API names it. */
    id?: string;
    /** Whether a person must approve the change first. */
    approvalRequired?: boolean;
    /** Id of the change list that waits for approval, if the API names one. */
    changeListId?: string;
  };
}
/** Parameters of `mdm-relationship-delete`. */
export interface MdmRelationshipDeleteInput extends Configured {
  /** Internal id of the relationship. `metadata-read` lists them (`resource: RELATIONSHIP`). Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  relationship: string;
  /** Id of the relationship, as `relationship-create` and `-search` name it. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  id: string;
}
export interface MdmRelationshipDeleteOutput {
  /** The API's response, with the id that it names in `Location`; empty if it says nothing. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Id of the relationship, if the API names it. */
    id?: string;
    /** Whether a person must approve the change first. */
    approvalRequired?: boolean;
    /** Id of the change list that waits for approval, if the API names one. */
    changeListId?: string;
  };
}
/** Parameters of `mdm-relationship-read`. */
export interface MdmRelationshipReadInput extends Configured {
  /** Internal id of the relationship. `metadata-read` lists them (`resource: RELATIONSHIP`). Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  relationship: string;
  /** Id of the relationship, as `relationship-create` and `-search` name it. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  id: string;
}
export interface MdmRelationshipReadOutput {
  /** The relationship with its ends and attributes, as the API returns it. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Id of the relationship, if the API names it. */
    id?: string;
  };
}
export interface RelationshipFrom<Entity extends string = string> {
  /** The golden record at the start of the relationship. */
  from: GoldenKey<Entity>;
  /** The golden record at the end of the relationship. */
  to?: GoldenKey<Entity>;
}
export interface RelationshipTo<Entity extends string = string> {
  from?: never;
  /** The golden record at the end of the relationship. */
  to: GoldenKey<Entity>;
}
/** What every form of `MdmRelationshipSearchInput` has. */
export interface MdmRelationshipSearchInputCommon extends Configured {
  /** Internal id of the relationship. `metadata-read` lists them (`resource: RELATIONSHIP`). Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  relationship: string;
}
/** Parameters of `mdm-relationship-search`. */
export type MdmRelationshipSearchInput<Entity extends string = string> = MdmRelationshipSearchInputCommon &
  (RelationshipFrom<Entity> | RelationshipTo<Entity>);
export interface MdmRelationshipSearchOutput {
  /** `content` lists all relationships, as the API returns them. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Whether this is all: false if the read stopped early, at 6 MB, at the deadline, or because the service repeats a page. */
    complete: boolean;
  };
}
/** Parameters of `mdm-relationship-update`. */
export interface MdmRelationshipUpdateInput<Entity extends string = string> extends Configured {
  /** Internal id of the relationship. `metadata-read` lists them (`resource: RELATIONSHIP`). Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  relationship: string;
  /** Id of the relationship, as `relationship-create` and `-search` name it. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  id: string;
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem?: string;
  /** The golden record at the start of the relationship. */
  from?: GoldenKey<Entity>;
  /** The golden record at the end of the relationship. */
  to?: GoldenKey<Entity>;
  /** The relationship's own attributes, by their names in the data model. Must not have _from or _to: give from and to. */
  attributes: AnyRecord;
}
export interface MdmRelationshipUpdateOutput {
  /** The API's response, with the id that it names in `Location`; empty if it says nothing. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Id of the relationship, if the API names it. */
    id?: string;
    /** Whether a person must approve the change first. */
    approvalRequired?: boolean;
    /** Id of the change list that waits for approval, if the API names one. */
    changeListId?: string;
  };
}
export interface FilterByValue {
  /** One value. IN takes a list, BETWEEN a list of two, IS_MISSING and IS_NOT_MISSING no value. */
  fieldValue: string | number | boolean;
  /** Groups of values, sent unchanged, with `fieldValue` or instead of it. */
  fieldValueGroups?: (string | number | boolean | AnyRecord | unknown[])[];
  comparator:
    | 'EQUALS'
    | 'NOT_EQUALS'
    | 'CONTAINS'
    | 'STARTS_WITH'
    | 'ENDS_WITH'
    | 'GREATER_THAN'
    | 'GREATER_THAN_OR_EQUAL_TO'
    | 'LESS_THAN'
    | 'LESS_THAN_OR_EQUAL_TO';
}
export interface FilterByList {
  /** One value. IN takes a list, BETWEEN a list of two, IS_MISSING and IS_NOT_MISSING no value. */
  fieldValue: (string | number | boolean)[];
  /** Groups of values, sent unchanged, with `fieldValue` or instead of it. */
  fieldValueGroups?: (string | number | boolean | AnyRecord | unknown[])[];
  comparator: 'IN';
}
export interface FilterByRange {
  /** One value. IN takes a list, BETWEEN a list of two, IS_MISSING and IS_NOT_MISSING no value. */
  fieldValue: (string | number | boolean)[];
  /** Groups of values, sent unchanged, with `fieldValue` or instead of it. */
  fieldValueGroups?: (string | number | boolean | AnyRecord | unknown[])[];
  comparator: 'BETWEEN';
}
export interface FilterByGroups {
  fieldValue?: never;
  /** Groups of values, sent unchanged, with `fieldValue` or instead of it. */
  fieldValueGroups: (string | number | boolean | AnyRecord | unknown[])[];
  comparator:
    | 'EQUALS'
    | 'NOT_EQUALS'
    | 'CONTAINS'
    | 'STARTS_WITH'
    | 'ENDS_WITH'
    | 'GREATER_THAN'
    | 'GREATER_THAN_OR_EQUAL_TO'
    | 'LESS_THAN'
    | 'LESS_THAN_OR_EQUAL_TO'
    | 'IN'
    | 'BETWEEN';
}
export interface FilterByAbsence {
  fieldValue?: never;
  fieldValueGroups?: never;
  comparator: 'IS_MISSING' | 'IS_NOT_MISSING';
}
/** What every form of `SearchFilter` has. */
export interface SearchFilterCommon {
  /** Name of the field, for example `c360person.lastName`. */
  fieldName: string;
}
export type SearchFilter = SearchFilterCommon &
  (FilterByValue | FilterByList | FilterByRange | FilterByGroups | FilterByAbsence);
/** Additional filters. */
export interface Filters {
  /** Whether a record must pass all filters or any of them. */
  operator?: 'AND' | 'OR';
  filter: SearchFilter[];
}
/** Sort order: by the first field, then by the next. */
export type Sort = {
  /** Name of the field, for example `c360person.lastName`. */
  fieldName: string;
  order?: 'ASCENDING' | 'DESCENDING';
}[];
export interface SearchByText {
  /** Text to search for in all fields; `*` matches every record. */
  search: string;
  fields?: never;
}
/** Text to search for in each field. */
export type SearchFields = Record<string, string>;
export interface SearchByFields {
  search?: never;
  /** Text to search for in each field. */
  fields: SearchFields;
}
export interface PagedByNumber {
  /** Records per page. */
  pageSize?: number;
  /** Page number, from 0. */
  pageOffset?: number;
  recordsToReturn?: never;
  recordOffset?: never;
}
export interface PagedByCount {
  pageSize?: never;
  pageOffset?: never;
  /** Records to return. */
  recordsToReturn: number;
  /** Records to skip. */
  recordOffset?: number;
}
export interface PagedByOffset {
  pageSize?: never;
  pageOffset?: never;
  recordsToReturn?: never;
  /** Records to skip. */
  recordOffset: number;
}
/** What every form of `MdmSearchInput` has. */
export interface MdmSearchInputCommon<Entity extends string = string> extends Configured {
  /** Internal id of the business entity; `business-entities` lists them. Without it, all are searched. */
  businessEntity?: Entity;
  /** Additional filters. */
  filters?: Filters;
  /** Sort order: by the first field, then by the next. */
  sort?: Sort;
  /** Maximum number of records over all pages. */
  maxRecords?: number;
  /** Language of the search, for example `en`. */
  searchLocale?: string;
  /** Include `_contentMeta`: trust scores, survivorship and data enhancement rules. */
  showContentMeta?: boolean;
  /** Read all pages. */
  allPages?: boolean;
}
/** Parameters of `mdm-search`. */
export type MdmSearchInput<Entity extends string = string> = MdmSearchInputCommon<Entity> &
  (SearchByText | SearchByFields) &
  (PagedByNumber | PagedByCount | PagedByOffset);
export interface SearchOutput<Entity extends string = string, Fields = AnyRecord> {
  payload: {
    searchResult: {
      /** Total number of matching records, as the API counts them. */
      hits?: number;
      /** The records of the page. */
      records: FoundRecord<Entity, Fields>[];
    };
  };
  attributes: CommonAttributes & {
    /** Total number of matching records. */
    hits?: number;
    /** From the response, or else from the request. */
    pageSize?: number;
    /** From the response, or else from the request. */
    pageOffset?: number;
    /** From the response, or else from the request. */
    recordsToReturn?: number;
    /** From the response, or else from the request. */
    recordOffset?: number;
    /** From the request. */
    maxRecords?: number;
    /** With `allPages`: false if the read stopped early, at 10,000 records, 6 MB or the deadline, or if the service pages so that some records may be missing. */
    complete?: boolean;
  };
}
/** Names a source record. */
export interface SourceKey<Entity extends string = string> extends OfEntity<Entity> {
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
  sourcePKey: string;
}
/** Parameters of `mdm-source-delete`. */
export interface MdmSourceDeleteInput<Entity extends string = string> extends SourceKey<Entity>, Configured {}
export interface SubmitChange<Fields = AnyRecord> {
  /** Fields of the record, by their names in the business entity. `null` clears a field. Whether an omitted field keeps its value depends on the tenant: the API documents a full mode, which removes it. Send whole records. */
  record: Changes<Fields>;
  /** Id of the golden record. Send it as text even if it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  businessId?: string;
  /** What the consumer does with the source record: `submit` (create or update), `replace` or `delete`. A patch is missing because repeating it is not safe, and the consumer delivers at least once. */
  operation?: 'submit';
  /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
  sourceLastUpdated?: number | string;
  /** Standardize picklist values by the source system's configuration in the tenant. */
  resolveCrosswalk?: boolean;
}
export interface ReplaceChange<Fields = AnyRecord> {
  /** Fields of the record, by their names in the business entity. `null` clears a field. Whether an omitted field keeps its value depends on the tenant: the API documents a full mode, which removes it. Send whole records. */
  record: Changes<Fields>;
  businessId?: never;
  /** What the consumer does with the source record: `submit` (create or update), `replace` or `delete`. A patch is missing because repeating it is not safe, and the consumer delivers at least once. */
  operation: 'replace';
  /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
  sourceLastUpdated?: number | string;
  /** Standardize picklist values by the source system's configuration in the tenant. */
  resolveCrosswalk?: false;
}
export interface DeleteChange {
  record?: never;
  businessId?: never;
  /** What the consumer does with the source record: `submit` (create or update), `replace` or `delete`. A patch is missing because repeating it is not safe, and the consumer delivers at least once. */
  operation: 'delete';
  sourceLastUpdated?: never;
  /** Standardize picklist values by the source system's configuration in the tenant. */
  resolveCrosswalk?: false;
}
/** What every form of `MdmSourceEnqueueInput` has. */
export interface MdmSourceEnqueueInputCommon<Entity extends string = string> extends SourceKey<Entity>, Configured {
  /** Check the record against `record-schema` before sending it. Required fields are checked only for a record that is certainly new: one with neither `sourcePKey` nor `businessId`. */
  validate?: boolean;
  /** Your own id of this call. A repeated call with the same key adds nothing and returns the first ids, for a day or the secret's `ingest.idempotencyMs`. A call with the same key and other records is refused. */
  idempotencyKey?: string;
  /** Name of the stream, without the shard. Default: the secret's. Must be well-formed Unicode. */
  stream?: string;
}
/** Parameters of `mdm-source-enqueue`. */
export type MdmSourceEnqueueInput<
  Entity extends string = string,
  Fields = AnyRecord,
> = MdmSourceEnqueueInputCommon<Entity> & (SubmitChange<Fields> | ReplaceChange<Fields> | DeleteChange);
export interface Enqueued {
  /** The shard that holds the record. */
  stream: string;
  /** Id of the entry. */
  id: string;
}
export interface SubmitBatchedChange<Fields = AnyRecord> {
  /** Fields of the record, by their names in the business entity. `null` clears a field. Whether an omitted field keeps its value depends on the tenant: the API documents a full mode, which removes it. Send whole records. */
  record: Changes<Fields>;
  /** Id of the golden record. Send it as text even if it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  businessId?: string;
  /** What the consumer does with the source record: `submit` (create or update), `replace` or `delete`. A patch is missing because repeating it is not safe, and the consumer delivers at least once. */
  operation?: 'submit';
  /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
  sourceLastUpdated?: number | string;
}
export interface ReplaceBatchedChange<Fields = AnyRecord> {
  /** Fields of the record, by their names in the business entity. `null` clears a field. Whether an omitted field keeps its value depends on the tenant: the API documents a full mode, which removes it. Send whole records. */
  record: Changes<Fields>;
  businessId?: never;
  /** What the consumer does with the source record: `submit` (create or update), `replace` or `delete`. A patch is missing because repeating it is not safe, and the consumer delivers at least once. */
  operation: 'replace';
  /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
  sourceLastUpdated?: number | string;
}
export interface DeleteBatchedChange {
  record?: never;
  businessId?: never;
  /** What the consumer does with the source record: `submit` (create or update), `replace` or `delete`. A patch is missing because repeating it is not safe, and the consumer delivers at least once. */
  operation: 'delete';
  sourceLastUpdated?: never;
}
/** Parameters of `mdm-source-enqueue-batch`. */
export interface MdmSourceEnqueueBatchInput<Entity extends string = string, Fields = AnyRecord>
  extends OfEntity<Entity>, Configured {
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Changes of source records, each with its key. Changes with the same key keep their order. */
  records: ({
    /** Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
    sourcePKey: string;
  } & (SubmitBatchedChange<Fields> | ReplaceBatchedChange<Fields> | DeleteBatchedChange))[];
  /** Check all records against `record-schema` before sending any. */
  validate?: boolean;
  /** Your own id of this call. A repeated call with the same key adds nothing and returns the first ids, for a day or the secret's `ingest.idempotencyMs`. A call with the same key and other records is refused. */
  idempotencyKey?: string;
}
export interface MdmSourceEnqueueBatchOutput {
  /** Shard and entry id of each record, in the order given. */
  ids: Enqueued[];
}
/** Parameters of `mdm-source-list`. */
export interface MdmSourceListInput<Entity extends string = string> extends GoldenKey<Entity>, Configured {}
export interface MdmSourceListOutput {
  /** `content` lists all source records, each with its `sourceSystem` and `sourcePKey`. */
  payload: AnyRecord;
  attributes: CommonAttributes & {
    /** Whether this is all: false if the read stopped early, at 6 MB, at the deadline, or because the service repeats a page. */
    complete: boolean;
  };
}
/** Parameters of `mdm-source-patch`. */
export interface MdmSourcePatchInput<Entity extends string = string> extends SourceKey<Entity>, Configured {
  /** JSON Patch (RFC 6902): operations on the record, in order. */
  operations: PatchOperations;
}
/** Parameters of `mdm-source-read`. */
export interface MdmSourceReadInput<Entity extends string = string> extends SourceKey<Entity>, Configured {
  /** Standardize picklist values by the source system's configuration in the tenant. */
  resolveCrosswalk?: boolean;
  /** Include `_contentMeta`: trust scores, survivorship and data enhancement rules. */
  showContentMeta?: boolean;
}
export interface MdmSourceReadOutput<Fields = AnyRecord> {
  /** The source record with `_meta`, and with `_contentMeta` if you asked for it. */
  payload: SourceRecord<Fields>;
  attributes: RecordAttributes &
    CommonAttributes & {
      /** When the source last updated it, in epoch milliseconds. */
      sourceLastUpdatedDate?: string;
      /** Id of the source system. */
      sourceSystem?: string;
      /** Primary key in the source system. */
      sourcePrimaryKey?: string;
      /** Kind of cross reference. */
      xrefType?: string;
    };
}
/** Parameters of `mdm-source-replace`. */
export interface MdmSourceReplaceInput<Entity extends string = string, Fields = AnyRecord>
  extends SourceKey<Entity>, Configured {
  /** The whole record, with the field names of the business entity. */
  record: Fields;
  /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
  sourceLastUpdated?: number | string;
}
/** Parameters of every submission. */
export interface Submission<Entity extends string = string, Fields = AnyRecord> extends OfEntity<Entity> {
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Id of the golden record. Send it as text even if it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  businessId?: string;
  /** Fields of the record, by their names in the business entity. `null` clears a field. Whether an omitted field keeps its value depends on the tenant: the API documents a full mode, which removes it. Send whole records. */
  record: Changes<Fields>;
  /** Standardize picklist values by the source system's configuration in the tenant. */
  resolveCrosswalk?: boolean;
  /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
  sourceLastUpdated?: number | string;
}
/** Parameters of `mdm-source-submit`. */
export interface MdmSourceSubmitInput<Entity extends string = string, Fields = AnyRecord>
  extends Submission<Entity, Fields>, Configured {
  /** Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
  sourcePKey?: string;
  /** Check the record against `record-schema` before sending it. Required fields are checked only for a record that is certainly new: one with neither `sourcePKey` nor `businessId`. */
  validate?: boolean;
}
/** Parameters of every batch of submissions. */
export interface SubmissionBatch<Entity extends string = string, Fields = AnyRecord> extends OfEntity<Entity> {
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Source records, each with its key. Records with the same key keep their order. */
  records: {
    /** Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
    sourcePKey: string;
    /** Fields of the record, by their names in the business entity. `null` clears a field. Whether an omitted field keeps its value depends on the tenant: the API documents a full mode, which removes it. Send whole records. */
    record: Changes<Fields>;
    /** Id of the golden record. Send it as text even if it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
    businessId?: string;
    /** When the source changed the record: ISO 8601, or epoch milliseconds. Survivorship may depend on it. Needs `mdm.sourceLastUpdated` in the secret. */
    sourceLastUpdated?: number | string;
  }[];
  /** Check all records against `record-schema` before sending any. */
  validate?: boolean;
}
/** Parameters of `mdm-source-submit-batch`. */
export interface MdmSourceSubmitBatchInput<Entity extends string = string, Fields = AnyRecord>
  extends SubmissionBatch<Entity, Fields>, Configured {
  /** Number of records sent at the same time. */
  concurrency?: number;
}
export interface FailedRecord {
  /** Why this record failed, with the members of an error response. */
  error: {
    type: string;
    title: string;
    status: number;
    detail: string;
    requestId: string;
    retryable: boolean;
    outcome: 'not-sent' | 'refused' | 'unknown';
    [name: string]: unknown;
  };
}
export interface MdmSourceSubmitBatchOutput {
  /** One per record, in the order given. */
  results: (ChangeOutput | FailedRecord)[];
}
/** Parameters of `mdm-source-systems`. */
export interface MdmSourceSystemsInput<Entity extends string = string> extends Configured {
  /** Internal id of the business entity; `business-entities` lists them. */
  businessEntity?: Entity;
}
/** Source records to take out of the golden record. */
export type SourcesToUnmerge = {
  /** Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters. */
  sourceSystem: string;
  /** Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters. */
  sourcePKey: string;
}[];
/** Parameters of `mdm-unmerge`. */
export interface MdmUnmergeInput<Entity extends string = string> extends GoldenKey<Entity>, Configured {
  /** Source records to take out of the golden record. */
  sources: SourcesToUnmerge;
  /** Which golden record keeps the relationships. */
  keepRelationships?: 'BUSINESS_ID' | 'REMAINS' | 'NONE';
  /** Whether the remaining source records stay together: `ALL`, `NONE`. */
  groupRemaining?: string;
  /** Whether the removed source records form one golden record: `ALL`, `NONE`. */
  groupRemoved?: string;
}
/** Parameters of `stream-consumer`. */
export interface StreamConsumerInput extends Configured {
  /** The shard, for example `source-submit:0`; with `shards`, their base name. Default: the secret's `ingest.stream`. Must be well-formed Unicode. */
  stream?: string;
  /** Number of shards, `<stream>:0` and on; the run takes those that have work. Without `stream`, the default is the secret's `ingest.shards`; with `stream`, the run works on that one shard. */
  shards?: number;
  /** Consumer group. Default: the secret's `ingest.group`. Must be well-formed Unicode. */
  group?: string;
  /** Stream of the dead letters. Default: `{<stream>}:dead:<group>`. Must be well-formed Unicode. */
  deadLetterStream?: string;
  /** Where entries go: `source-submit`, or the name or ARN of a Lambda. Default: `"source-submit"`. */
  target?: string;
  /** Entries per read. Default: `100`. */
  batchSize?: number;
  /** Entries that a run sends to the target at the same time, over all shards. Default: `10`. */
  concurrency?: number;
  /** Own failures after which an entry becomes a dead letter. Outages never count. Default: `5`. */
  maxDeliveries?: number;
  /** Age in milliseconds after which any failure makes a dead letter, even an outage or a wrong configuration. An attempt that a pause or the end of its run cuts off is not a failure, and a batch that fails as a whole is tried again entry by entry. */
  maxAgeMs?: number;
  /** Delay before the first retry, in milliseconds. It doubles with each failure, up to a minute. Default: `1000`. */
  backoffMs?: number;
  /** How long a crashed run keeps other runs away, in milliseconds. Default: `15000`. */
  leaseMs?: number;
  /** Where a new group begins. `$` skips what the stream holds when the group is made, or made again. Default: `"0"`. */
  startId?: string;
  /** Delete entries that every group of the stream has processed. Default: `false`. */
  trim?: boolean;
  /** Refusals of different keys in a row that open the circuit breaker. With 0, refusals never open it. Default: `20`. */
  refusalLimit?: number;
  /** Maximum calls to the target per second, over all runs and shards of the group. Default: no limit. */
  ratePerSecond?: number;
  /** How long a drained run waits for another entry, in milliseconds. Default: `0`. */
  lingerMs?: number;
  /** For a Lambda target: the field that holds the ordering key. By default, the whole shard is one key. Must be well-formed Unicode. */
  keyField?: string;
  /** For a Lambda target: maximum entries per invocation. Default: `1`. */
  targetBatchSize?: number;
}
export interface RunReport {
  /** New entries read. */
  read: number;
  /** Entries that the target took. */
  processed: number;
  /** Failed attempts whose entry stays pending. */
  failed: number;
  /** Entries that became dead letters. */
  deadLettered: number;
  /** Pending entries of earlier runs that this run took up. */
  recovered: number;
  /** Pending entries whose body was deleted. */
  deleted: number;
  /** Groups that the run created. */
  groupsCreated: number;
  /** Pending entries at the end of the run. */
  pending: number;
  /** Unread entries at the end of the run; null if Redis does not know. */
  lag: number | null;
  /** Age of the oldest pending entry in milliseconds; 0 without one. */
  oldestPendingMs: number;
  /** Why the run ended. docs/consumer.md explains each reason. */
  stoppedBecause:
    | 'group-destroyed'
    | 'lease-lost'
    | 'deadline'
    | 'paused'
    | 'target-refuses'
    | 'upstream-unavailable'
    | 'backpressure'
    | 'failing'
    | 'drained'
    | 'lease-held';
  /** The newest failure whose entry has not succeeded since; absent without one. */
  lastFailure?: {
    /** Its error type. */
    type: string;
    /** What went wrong, without a value of the entry. */
    detail: string;
    /** The target that failed: `source-submit`, or the Lambda. */
    target: string;
    /** When it failed. */
    at: string;
    /** Entries that wait for another try, of whatever cause. */
    entries: number;
  };
}
export interface PauseFor {
  /** Length of the pause in milliseconds, at most 7 days. */
  forMs: number;
  resume?: never;
}
export interface Resume {
  forMs?: never;
  /** End the pause. */
  resume: true;
}
/** What every form of `StreamPauseInput` has. */
export interface StreamPauseInputCommon extends Configured {
  /** The shard, for example `source-submit:0`; with `shards`, the name before the number. Default: the secret's. Must be well-formed Unicode. */
  stream?: string;
  /** Number of shards. Without `stream`, the default is the secret's. */
  shards?: number;
  /** The group. Default: the secret's. Must be well-formed Unicode. */
  group?: string;
}
/** Parameters of `stream-pause`. */
export type StreamPauseInput = StreamPauseInputCommon & (PauseFor | Resume);
export interface StreamPauseOutput {
  /** When the pause ends; null if there is none. */
  pausedUntil: string | null;
}
/** Parameters of `stream-check`. */
export interface StreamCheckInput extends Configured {
  /** The shard, for example `source-submit:0`. Default: the secret's shards. Must be well-formed Unicode. */
  stream?: string;
  /** The group. Default: the secret's; with `stream`, all groups. Must be well-formed Unicode. */
  group?: string;
  /** The mildest status that counts as a failure: `ok` is then false, and a direct or scheduled invocation fails. */
  failOn?: 'failed' | 'warning';
}
export interface StreamCheckOutput {
  /** Whether no check has the status that `failOn` names, or a worse one. */
  ok: boolean;
  /** All checks, in their order. */
  checks: {
    /** What was checked. */
    name: string;
    /** `skipped`: it could not be checked, because an earlier check failed or a right is missing. */
    status: 'passed' | 'warning' | 'failed' | 'skipped';
    /** How long it took, in milliseconds. */
    ms: number;
    /** What was found. */
    detail: string;
    /** What to do about it. */
    hint?: string;
  }[];
}
/** Parameters of `stream-entry-status`. */
export interface StreamEntryStatusInput extends Configured {
  /** The shard, for example `source-submit:0`. Default: the secret's shards. Must be well-formed Unicode. */
  stream?: string;
  /** The group. Default: the secret's. Must be well-formed Unicode. */
  group?: string;
  /** Ids of entries, as an enqueue returned them. */
  ids: string[];
}
export interface StreamEntryStatusOutput {
  /** The entries, in the order of `ids`. */
  entries: {
    /** Entry id, `<milliseconds>-<sequence>`. */
    id: string;
    /** The shard that knows it; null if none does. */
    stream: string | null;
    /** `unread`: no run has read it; `pending`: it is in progress, or waits for another try or for an earlier entry of its key; `done`: it was processed; `dead-letter`: it was given up; `unknown`: the stream does not have it (any more). */
    state: 'unread' | 'pending' | 'done' | 'dead-letter' | 'unknown';
    /** Attempts so far, as far as Redis knows them; 0 for a processed entry. */
    attempts: number;
    /** When it is due for another try; null if it does not wait for one. */
    nextTryAt: string | null;
    /** Its last failure, or why it became a dead letter; null if there is none, or it is not known. */
    lastFailure: {
      /** Its error type. */
      type: string;
      /** What went wrong, without a value of the entry. */
      detail: string;
      /** When it failed. */
      at: string;
    } | null;
    /** The id of its dead letter. */
    letterId: string | null;
  }[];
  /** False if there were too many dead letters to search, so that `done` and `unknown` are not certain. */
  complete: boolean;
}
/** Parameters of `stream-redrive`. */
export interface StreamRedriveInput extends Configured {
  /** The shard, for example `source-submit:0`. Must be well-formed Unicode. */
  stream: string;
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Stream of the dead letters. Default: for shards and group of the secret's `ingest`, its `consumer.deadLetterStream`; otherwise `{<stream>}:dead:<group>`. Must be well-formed Unicode. */
  deadLetterStream?: string;
  /** Maximum number of letters to put back; fewer if the response would exceed 6 MB. */
  count?: number;
  /** Only letters with these ids, whatever `count` is. Ids that no longer exist are ignored. */
  ids?: string[];
  /** Only letters whose reason contains this text. */
  reason?: string;
  /** Only letters of this error type, for example `MDM:CLIENT_ERROR`. */
  errorType?: string;
  /** Only letters that are older than this, in milliseconds. */
  olderThanMs?: number;
  /** Put back superseded letters too, and letters of a shared stream that do not name their origin. */
  force?: boolean;
  /** List the letters without moving them. */
  dryRun?: boolean;
}
export interface Redriven {
  /** Id of the dead letter. */
  id: string;
  /** Id of the original entry in its stream. */
  sourceId: string;
  /** Why the entry was given up. */
  reason: string;
  /** Type of its last error. */
  errorType: string;
  /** Number of deliveries. */
  deliveries: number;
  /** When the entry was given up. */
  time: string;
  /** Whether the letter stays because a later entry of its key was processed or waits. */
  superseded: boolean;
  /** Id of the new entry. Null if the letter stays: it was only listed, is superseded, or has no fields to put back. */
  redrivenAs: string | null;
}
export interface RedriveReport {
  /** Dead letters put back. */
  redriven: number;
  /** Dead letters that stay because a later entry of their key was processed or waits. */
  superseded: number;
  /** Dead letters left in the stream, whether they match or not. */
  remaining: number;
  /** The letters that were put back or listed, and the first 1,000 that stay. */
  entries: Redriven[];
}
/** Parameters of `stream-status`. */
export interface StreamStatusInput extends Configured {
  /** The shard, for example `source-submit:0`; with `shards`, the name before the number. Default: the secret's. Must be well-formed Unicode. */
  stream?: string;
  /** Number of shards. Without `stream`, the default is the secret's. */
  shards?: number;
  /** The group. Default: all groups of `stream`; without `stream`, the secret's group. Must be well-formed Unicode. */
  group?: string;
  /** Stream of the dead letters. Default: for shards and group of the secret's `ingest`, its `consumer.deadLetterStream`; otherwise `{<stream>}:dead:<group>`. Must be well-formed Unicode. */
  deadLetterStream?: string;
}
export interface LastFailure {
  /** Its error type. */
  type: string;
  /** What went wrong, without a value of the entry. */
  detail: string;
  /** The target that failed: `source-submit`, or the Lambda. */
  target: string;
  /** When it failed. */
  at: string;
  /** Entries that wait for another try, of whatever cause. */
  entries: number;
}
export interface DeadLetterCount {
  /** Type of their last error. */
  errorType: string;
  /** Why they were given up. */
  reason: string;
  /** Number of letters. */
  count: number;
}
export interface GroupStatus {
  /** The shard. */
  stream: string;
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Whether the shard has this group. The first run of the group's consumer creates it. */
  groupExists: boolean;
  /** Entries in the stream, including processed ones that are not trimmed yet. */
  length: number;
  /** Entries that the group has not read yet; null if Redis does not know. */
  lag: number | null;
  /** Entries read and not yet acknowledged. */
  pending: number;
  /** Age of the oldest pending entry, in milliseconds; null if there is none. */
  oldestPendingMs: number | null;
  /** Age of the oldest unread entry, in milliseconds; null if there is none. */
  oldestUnreadMs: number | null;
  /** `active`: a run holds the lease; `idle`: no run does; `paused`: an operator paused the group. */
  run: 'idle' | 'active' | 'paused';
  /** When the pause ends; null without a pause, or if its end is unknown. */
  pausedUntil: string | null;
  /** `closed`: the target is called; `open`: it rests; `half-open`: the next run probes it. */
  breaker: 'closed' | 'open' | 'half-open';
  /** The newest failure whose entry has not succeeded since; null without one. */
  lastFailure: LastFailure | null;
  /** When the next of the failed entries is due for another try; null without one. */
  nextTryAt: string | null;
  /** Remaining rest of the target, in milliseconds; 0 without a rest. */
  restMs: number;
  /** Limit of calls to the target per second, from the runs of the last 15 minutes; null without a limit. */
  ratePerSecond: number | null;
  /** How far the function's clock is ahead of that of Redis, in milliseconds; null up to 5 s, or if Redis does not tell. Ages and times are by the clock of Redis. */
  clockAheadMs: number | null;
  /** The latest 10,000 letters by type and reason: the 20 most frequent, then the others as `(other reasons)`. */
  deadLetters: DeadLetterCount[];
}
/** A row for each shard and group. If you ask for all groups, a stream without groups has no row. */
export type StreamStatusOutput = GroupStatus[];
/** Names a stream. */
export interface OfStream {
  /** Key of the stream. Any text is valid. Must be well-formed Unicode. */
  key: string;
}
/** Entry ids, at least one. */
export type EntryIds = string[];
/** Parameters of `stream-xack`. */
export interface StreamXackInput extends OfStream, Configured {
  /** Name of the consumer group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  group: string;
  /** Entry ids, at least one. */
  ids: EntryIds;
}
/** How entries are written. */
export interface EntryOptions {
  /** Form of an entry: `object` has each field once; `pairs` (`[["tag","red"],["tag","blue"]]`) keeps repeated fields. */
  format?: 'object' | 'pairs';
  /** Encoding of names and values: `utf8` is text; `base64` keeps any bytes. */
  encoding?: 'utf8' | 'base64';
}
export interface EvictByLength {
  /** Maximum number of entries to keep. Send values beyond 2^53 as text. */
  maxLength: number | string;
  id?: never;
}
export interface EvictById {
  maxLength?: never;
  /** Entry id, `<milliseconds>-<sequence>`. */
  id: string;
}
export interface TrimFully {
  /** With `false`, Redis may keep some more entries, and is faster. */
  exactTrimming?: boolean;
  limit?: never;
}
export interface TrimUpToLimit {
  /** With `false`, Redis may keep some more entries, and is faster. */
  exactTrimming: false;
  /** Most entries that one trim removes; 0 for no limit. Needs `exactTrimming: false`. Send values beyond 2^53 as text. */
  limit: number | string;
}
/** Caps the stream, by either `maxLength` or `id`. */
export type EvictionOption = (EvictByLength | EvictById) & (TrimFully | TrimUpToLimit);
/** Field-value pairs, at least one. With `format: "pairs"`, a list of pairs. */
export type Entry = Record<string, string> | string[][];
/** Adds the entry once, however often you send it. Needs `id` `*`. Redis 8.6 and newer. */
export interface Idempotency {
  /** Who adds the entry. Must be well-formed Unicode. */
  producer: string;
  /** The producer's id of the entry. While Redis remembers it, a repeated call adds nothing and returns the first id. Must be well-formed Unicode. */
  id: string;
}
/** Parameters of `stream-xadd`. Must have evictionOption with references: only evicted entries have them. */
export interface StreamXaddInput extends OfStream, EntryOptions, Configured {
  /** With true, a missing stream is not created. */
  noMkStream?: boolean;
  /** Id of the new entry. `*` generates it (recommended); `<milliseconds>-*` generates only its sequence. */
  id?: string;
  /** Caps the stream, by either `maxLength` or `id`. */
  evictionOption?: EvictionOption;
  /** What happens to group references of the entries: `keep` (the default) leaves them, `delete` removes them, and `acked` removes only entries that every group has read and acknowledged. Redis 8.2 and newer, but for `keep`. */
  references?: 'keep' | 'delete' | 'acked';
  /** Field-value pairs, at least one. With `format: "pairs"`, a list of pairs. */
  entry: Entry;
  /** Adds the entry once, however often you send it. Needs `id` `*`. Redis 8.6 and newer. */
  idempotency?: Idempotency;
}
/** Parameters of `stream-xdel`. */
export interface StreamXdelInput extends OfStream, Configured {
  /** Entry ids, at least one. */
  ids: EntryIds;
}
/** Parameters of `stream-xgroup-create`. */
export interface StreamXgroupCreateInput extends OfStream, Configured {
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Last entry that the group has seen. `$` starts at the current end; `0` delivers all existing entries. */
  lastEntryId?: string;
  /** With true, a missing stream is created. */
  mkstream: boolean;
  /** Number of entries already read, for an accurate lag; -1 if unknown. Send values beyond 2^53 as text. */
  entriesRead?: number | string;
}
/** Parameters of `stream-xgroup-destroy`. */
export interface StreamXgroupDestroyInput extends OfStream, Configured {
  /** Name of the consumer group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  group: string;
}
/** Parameters of `stream-xinfo-groups`. */
export interface StreamXinfoGroupsInput extends OfStream, Configured {}
export interface GroupInfo {
  /** Group name. */
  name: string;
  /** Number of consumers in the group. */
  consumers: number;
  /** Entries pending acknowledgement. */
  pending: number;
  /** Id of the last entry delivered to a consumer. */
  'last-delivered-id': string;
  /** Entries read by the group. */
  'entries-read': number | null;
  /** Entries in the stream not yet delivered. */
  lag: number | null;
  [name: string]: unknown;
}
/** One object per group. */
export type StreamXinfoGroupsOutput = GroupInfo[];
/** Parameters of `stream-xrange`. */
export interface StreamXrangeInput extends OfStream, EntryOptions, Configured {
  /** Id at the start of the range. `-` is the first entry of the stream; `(` before an id excludes that entry. */
  start: string;
  /** Id at the end of the range. `+` is the last entry of the stream; `(` before an id excludes that entry. */
  end: string;
  /** Maximum number of entries to return; 0 or less returns none. Send values beyond 2^53 as text. */
  count?: number | string;
}
/** Field-value pairs by entry id, in the order they were read. */
export type EntriesById = Record<string, Record<string, string> | string[][]>;
/** Streams to read, each once, and the id to read after. */
export type ReadWatermarks = (OfStream & {
  /** Reads entries after this id. `0` reads from the beginning, `$` only new entries, `+` the last entry (Redis 7.4 and newer). */
  id: string;
})[];
/** Parameters of `stream-xread`. */
export interface StreamXreadInput extends EntryOptions, Configured {
  /** Maximum number of entries per stream; 0 or less for no limit. Send values beyond 2^53 as text. */
  count?: number | string;
  /** Milliseconds to wait for new entries, at most as long as the invocation has time; 0 waits that long. Without it, the call returns at once. Send values beyond 2^53 as text. */
  block?: number | string;
  /** Streams to read, each once, and the id to read after. */
  streamWatermarks: ReadWatermarks;
}
export interface DeliveredEntry {
  id: string;
  entry: Record<string, string> | string[][] | null;
  /** With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry. */
  idleMs?: number;
  /** With `claimMinIdleMs`: earlier deliveries, 0 for a new entry. */
  deliveries?: number;
}
/** Entries by stream key; empty if there is nothing new. `entry` is null if the entry was deleted while it was pending. */
export type EntriesByStream = Record<string, DeliveredEntry[]>;
/** Streams to read, each once, and the id to read after. */
export type GroupReadWatermarks = (OfStream & {
  /** `>` reads entries that no consumer of the group has received yet. An id reads the entries after it that are pending for this consumer. */
  id: string;
})[];
/** Parameters of `stream-xreadgroup`. */
export interface StreamXreadgroupInput extends EntryOptions, Configured {
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Name of the consumer within the group. Must be well-formed Unicode. */
  consumer: string;
  /** Maximum number of entries per stream; 0 or less for no limit. Send values beyond 2^53 as text. */
  count?: number | string;
  /** Milliseconds to wait for new entries, at most as long as the invocation has time; 0 waits that long. Without it, the call returns at once. Send values beyond 2^53 as text. */
  block?: number | string;
  /** With true, entries count as acknowledged when they are read. */
  noack?: boolean;
  /** Streams to read, each once, and the id to read after. */
  streamWatermarks: GroupReadWatermarks;
  /** Before new entries, claim entries that have been pending for any consumer for at least this many milliseconds. Only with `>`. Redis 8.4 and newer. Send values beyond 2^53 as text. */
  claimMinIdleMs?: number | string;
}
/** Parameters of `stream-xtrim`. */
export interface StreamXtrimInput extends OfStream, Configured {
  /** Caps the stream, by either `maxLength` or `id`. */
  evictionOption: EvictionOption;
  /** What happens to group references of the entries: `keep` (the default) leaves them, `delete` removes them, and `acked` removes only entries that every group has read and acknowledged. Redis 8.2 and newer, but for `keep`. */
  references?: 'keep' | 'delete' | 'acked';
}
/** Parameters of `stream-xlen`. */
export interface StreamXlenInput extends OfStream, Configured {}
/** Parameters of `stream-xrevrange`. */
export interface StreamXrevrangeInput extends OfStream, EntryOptions, Configured {
  /** Id at the start of the range. `-` is the first entry of the stream; `(` before an id excludes that entry. */
  start?: string;
  /** Id at the end of the range. `+` is the last entry of the stream; `(` before an id excludes that entry. */
  end?: string;
  /** Maximum number of entries to return; 0 or less returns none. Send values beyond 2^53 as text. */
  count?: number | string;
}
export interface PendingSummary {
  start?: never;
  end?: never;
  count?: never;
  consumer?: never;
  minIdleMs?: never;
}
export interface PendingRange {
  /** Id at the start of the range. `-` is the first entry of the stream; `(` before an id excludes that entry. */
  start: string;
  /** Id at the end of the range. `+` is the last entry of the stream; `(` before an id excludes that entry. */
  end: string;
  /** Maximum number of entries to return; 0 or less returns none. Send values beyond 2^53 as text. */
  count: number | string;
  /** Name of the consumer within the group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  consumer?: string;
  /** Only entries whose last delivery is at least this many milliseconds ago. Send values beyond 2^53 as text. */
  minIdleMs?: number | string;
}
/** What every form of `StreamXpendingInput` has. */
export interface StreamXpendingInputCommon extends OfStream, Configured {
  /** Name of the consumer group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  group: string;
}
/** Parameters of `stream-xpending`. */
export type StreamXpendingInput = StreamXpendingInputCommon & (PendingSummary | PendingRange);
export interface PendingDelivery {
  id: string;
  /** The consumer that it is pending for. */
  consumer: string;
  /** Milliseconds since its last delivery. */
  idleMs: number;
  /** Number of deliveries. */
  deliveries: number;
}
/** Without a range: a summary. */
export interface PendingOverview {
  /** Pending entries. */
  count: number;
  /** Lowest pending id. */
  minId: string | null;
  /** Highest pending id. */
  maxId: string | null;
  consumers: {
    name: string;
    /** Entries pending for this consumer. */
    pending: number;
  }[];
}
export type Pending = PendingDelivery[] | PendingOverview;
/** Parameters of `stream-xclaim`. */
export interface StreamXclaimInput extends OfStream, EntryOptions, Configured {
  /** Name of the consumer group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  group: string;
  /** Name of the consumer within the group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  consumer: string;
  /** Claim only entries whose last delivery is at least this many milliseconds ago. Send values beyond 2^53 as text. */
  minIdleMs: number | string;
  /** Entry ids, at least one. */
  ids: EntryIds;
  /** Idle time to set, in milliseconds. Default: 0. Send values beyond 2^53 as text. */
  idleMs?: number | string;
  /** Number of deliveries to set. Default: one more than before. Send values beyond 2^53 as text. */
  retryCount?: number | string;
  /** With true, also claims entries that are not pending. */
  force?: boolean;
  /** With true, returns ids instead of entries, and counts no delivery. */
  justId?: boolean;
}
export type Claimed = DeliveredEntry[] | string[];
/** Parameters of `stream-xautoclaim`. */
export interface StreamXautoclaimInput extends OfStream, EntryOptions, Configured {
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Name of the consumer within the group. Must be well-formed Unicode. */
  consumer: string;
  /** Claim only entries whose last delivery is at least this many milliseconds ago. Send values beyond 2^53 as text. */
  minIdleMs: number | string;
  /** Where to begin: `0-0`, or `next` of the previous call. */
  start?: string;
  /** Maximum number of entries to claim. */
  count?: number;
  /** With true, returns ids instead of entries, and counts no delivery. */
  justId?: boolean;
}
export interface Autoclaimed {
  /** `start` of the next call; `0-0` at the end of the list. */
  next: string;
  entries: Claimed;
  /** Pending entries whose body was deleted. They are no longer pending. */
  deletedIds: string[];
}
/** Parameters of `stream-xinfo-stream`. */
export interface StreamXinfoStreamInput extends OfStream, EntryOptions, Configured {}
export interface StreamInfo {
  /** Number of entries. */
  length: number;
  /** The greatest id that the stream ever had. */
  'last-generated-id': string;
  /** Number of groups. */
  groups: number;
  /** Oldest entry. */
  'first-entry': DeliveredEntry | null;
  /** Newest entry. */
  'last-entry': DeliveredEntry | null;
  [name: string]: unknown;
}
/** Parameters of `stream-xinfo-consumers`. */
export interface StreamXinfoConsumersInput extends OfStream, Configured {
  /** Name of the consumer group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  group: string;
}
export interface ConsumerInfo {
  /** Consumer name. */
  name: string;
  /** Entries pending for this consumer. */
  pending: number;
  /** Milliseconds since it last tried to read. */
  idle: number;
  /** Milliseconds since it last received an entry. Redis 7.2 and newer. */
  inactive?: number;
  [name: string]: unknown;
}
/** One object per consumer. */
export type StreamXinfoConsumersOutput = ConsumerInfo[];
/** Parameters of `stream-xgroup-setid`. */
export interface StreamXgroupSetidInput extends OfStream, Configured {
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Last entry that the group has seen. `$` is the current end; `-` or `0` is before the first entry. */
  lastEntryId: string;
  /** Number of entries already read, for an accurate lag; -1 if unknown. Send values beyond 2^53 as text. */
  entriesRead?: number | string;
}
/** Parameters of `stream-xgroup-createconsumer`. */
export interface StreamXgroupCreateconsumerInput extends OfStream, Configured {
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Name of the consumer within the group. Must be well-formed Unicode. */
  consumer: string;
}
/** Parameters of `stream-xgroup-delconsumer`. */
export interface StreamXgroupDelconsumerInput extends OfStream, Configured {
  /** Name of the consumer group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  group: string;
  /** Name of the consumer within the group. Any text that another client gave it is valid. Must be well-formed Unicode. */
  consumer: string;
}
/** Parameters of `stream-xdelex`. */
export interface StreamXdelexInput extends OfStream, Configured {
  /** Entry ids, at least one. */
  ids: EntryIds;
  /** What happens to group references: `keep` leaves those of other groups, `delete` removes them, and `acked` deletes only entries that every group has acknowledged. */
  references?: 'keep' | 'delete' | 'acked';
}
/** The result for each id, in the order given. A `referenced` entry was kept because a group refers to it. */
export type Deletions = { id: string; result: 'deleted' | 'not-found' | 'referenced' }[];
/** Parameters of `stream-xackdel`. */
export interface StreamXackdelInput extends OfStream, Configured {
  /** Name of the consumer group. Must be well-formed Unicode. */
  group: string;
  /** Entry ids, at least one. */
  ids: EntryIds;
  /** What happens to group references: `keep` leaves those of other groups, `delete` removes them, and `acked` deletes only entries that every group has acknowledged. */
  references?: 'keep' | 'delete' | 'acked';
}
/** Parameters of `stream-xadd-batch`. */
export interface StreamXaddBatchInput extends OfStream, EntryOptions, Configured {
  /** Entries, each of field-value pairs. */
  entries: Entry[];
  /** With true, a missing stream is not created. */
  noMkStream?: boolean;
  /** Caps the stream, by either `maxLength` or `id`. */
  evictionOption?: EvictionOption;
}
/** Ids of the new entries. */
export type StreamXaddBatchOutput = string[] | null;
/** Input and output of every operation, by its name. */
export interface Operations<Entity extends string = string, Fields = AnyRecord> {
  /** List the tenant's business entities */
  'mdm-business-entities': { input: MdmBusinessEntitiesInput; output: NamedList };
  /** Read the values of a code list */
  'mdm-codelist-read': { input: MdmCodelistReadInput; output: MdmCodelistReadOutput };
  /** Check the way to the master data API, step by step */
  'mdm-check': { input: MdmCheckInput<Entity>; output: MdmCheckOutput };
  /** Send a request to any path of the API, with the connector's session */
  'mdm-http-request': { input: MdmHttpRequestInput; output: MdmHttpRequestOutput };
  /** Read the state of a job */
  'mdm-job-read': { input: MdmJobReadInput; output: JobOutput };
  /** Start an ingress, egress or match and merge job */
  'mdm-job-start': { input: MdmJobStartInput; output: MdmJobStartOutput };
  /** Delete a golden record with all its source records */
  'mdm-master-delete': { input: MdmMasterDeleteInput<Entity>; output: ChangeOutput };
  /** Change parts of a golden record with JSON Patch */
  'mdm-master-patch': { input: MdmMasterPatchInput<Entity>; output: ChangeOutput };
  /** Read a golden record by its business id or by a source key */
  'mdm-master-read': { input: MdmMasterReadInput<Entity>; output: MdmMasterReadOutput<Fields> };
  /** Change a golden record by its business id */
  'mdm-master-update': { input: MdmMasterUpdateInput<Entity, Fields>; output: ChangeOutput };
  /** Find golden records that resemble a record, with scores */
  'mdm-match': { input: MdmMatchInput<Entity, Fields>; output: MdmMatchOutput };
  /** Merge golden records into one */
  'mdm-merge': { input: MdmMergeInput<Entity>; output: ChangeOutput };
  /** Show the golden record that a merge would give */
  'mdm-merge-preview': { input: MdmMergePreviewInput<Entity>; output: MdmMergePreviewOutput<Fields> };
  /** Read the data model, an entity, a relationship or other metadata */
  'mdm-metadata-read': { input: MdmMetadataReadInput; output: MdmMetadataReadOutput };
  /** Read the JSON Schema of a business entity's records */
  'mdm-record-schema': { input: MdmRecordSchemaInput<Entity>; output: MdmRecordSchemaOutput };
  /** Create a relationship between two golden records */
  'mdm-relationship-create': { input: MdmRelationshipCreateInput<Entity>; output: MdmRelationshipCreateOutput };
  /** Delete a relationship */
  'mdm-relationship-delete': { input: MdmRelationshipDeleteInput; output: MdmRelationshipDeleteOutput };
  /** Read a relationship by its id */
  'mdm-relationship-read': { input: MdmRelationshipReadInput; output: MdmRelationshipReadOutput };
  /** Find the relationships from or to a golden record */
  'mdm-relationship-search': { input: MdmRelationshipSearchInput<Entity>; output: MdmRelationshipSearchOutput };
  /** Replace the attributes of a relationship */
  'mdm-relationship-update': { input: MdmRelationshipUpdateInput<Entity>; output: MdmRelationshipUpdateOutput };
  /** Search golden records by text or by field */
  'mdm-search': { input: MdmSearchInput<Entity>; output: SearchOutput<Entity, Fields> };
  /** Delete a source record */
  'mdm-source-delete': { input: MdmSourceDeleteInput<Entity>; output: ChangeOutput };
  /** Put a change of a source record on the consumer's stream */
  'mdm-source-enqueue': { input: MdmSourceEnqueueInput<Entity, Fields>; output: Enqueued };
  /** Put up to 500 changes of source records on the consumer's stream */
  'mdm-source-enqueue-batch': {
    input: MdmSourceEnqueueBatchInput<Entity, Fields>;
    output: MdmSourceEnqueueBatchOutput;
  };
  /** List the source records of a golden record */
  'mdm-source-list': { input: MdmSourceListInput<Entity>; output: MdmSourceListOutput };
  /** Change parts of a source record with JSON Patch */
  'mdm-source-patch': { input: MdmSourcePatchInput<Entity>; output: ChangeOutput };
  /** Read a source record (the cross reference of one source system) */
  'mdm-source-read': { input: MdmSourceReadInput<Entity>; output: MdmSourceReadOutput<Fields> };
  /** Replace a whole source record */
  'mdm-source-replace': { input: MdmSourceReplaceInput<Entity, Fields>; output: ChangeOutput };
  /** Create or update a source record */
  'mdm-source-submit': { input: MdmSourceSubmitInput<Entity, Fields>; output: ChangeOutput };
  /** Create or update up to 500 source records, each independently */
  'mdm-source-submit-batch': { input: MdmSourceSubmitBatchInput<Entity, Fields>; output: MdmSourceSubmitBatchOutput };
  /** List the tenant's source systems, or those of one business entity */
  'mdm-source-systems': { input: MdmSourceSystemsInput<Entity>; output: NamedList };
  /** Take source records out of a golden record */
  'mdm-unmerge': { input: MdmUnmergeInput<Entity>; output: ChangeOutput };
  /** Carry the entries of a stream to the MDM, or to another Lambda */
  'stream-consumer': { input: StreamConsumerInput; output: RunReport };
  /** Pause or resume the consumer */
  'stream-pause': { input: StreamPauseInput; output: StreamPauseOutput };
  /** Check Redis, the rights of its user, and the consumer, step by step */
  'stream-check': { input: StreamCheckInput; output: StreamCheckOutput };
  /** Show where entries are: unread, pending, done or dead-lettered */
  'stream-entry-status': { input: StreamEntryStatusInput; output: StreamEntryStatusOutput };
  /** Put dead letters back on their stream */
  'stream-redrive': { input: StreamRedriveInput; output: RedriveReport };
  /** Show the status of the consumer, by shard */
  'stream-status': { input: StreamStatusInput; output: StreamStatusOutput };
  /** Acknowledge entries as processed by a group */
  'stream-xack': {
    input: StreamXackInput;
    /** Entries acknowledged. */
    output: number;
  };
  /** Append an entry to a stream, optionally evicting old ones */
  'stream-xadd': {
    input: StreamXaddInput;
    /** Id of the new entry. */
    output: string | null;
  };
  /** Delete entries */
  'stream-xdel': {
    input: StreamXdelInput;
    /** Entries deleted. */
    output: number;
  };
  /** Create a consumer group */
  'stream-xgroup-create': {
    input: StreamXgroupCreateInput;
    /** Nothing. */
    output: null;
  };
  /** Destroy a consumer group */
  'stream-xgroup-destroy': {
    input: StreamXgroupDestroyInput;
    /** true if the group was destroyed, false if it did not exist. */
    output: boolean;
  };
  /** List the consumer groups of a stream */
  'stream-xinfo-groups': { input: StreamXinfoGroupsInput; output: StreamXinfoGroupsOutput };
  /** Read a range of entries */
  'stream-xrange': { input: StreamXrangeInput; output: EntriesById };
  /** Read entries from one or more streams, optionally blocking */
  'stream-xread': { input: StreamXreadInput; output: EntriesByStream };
  /** Read entries as a member of a consumer group */
  'stream-xreadgroup': { input: StreamXreadgroupInput; output: EntriesByStream };
  /** Trim a stream by length or minimum id */
  'stream-xtrim': {
    input: StreamXtrimInput;
    /** Entries deleted. */
    output: number;
  };
  /** Count the entries of a stream */
  'stream-xlen': {
    input: StreamXlenInput;
    /** Number of entries. */
    output: number;
  };
  /** Read a range of entries, newest first */
  'stream-xrevrange': { input: StreamXrevrangeInput; output: EntriesById };
  /** List the pending entries of a consumer group */
  'stream-xpending': { input: StreamXpendingInput; output: Pending };
  /** Claim pending entries by their ids */
  'stream-xclaim': { input: StreamXclaimInput; output: Claimed };
  /** Claim entries that have been pending for long */
  'stream-xautoclaim': { input: StreamXautoclaimInput; output: Autoclaimed };
  /** Describe a stream */
  'stream-xinfo-stream': { input: StreamXinfoStreamInput; output: StreamInfo };
  /** List the consumers of a group */
  'stream-xinfo-consumers': { input: StreamXinfoConsumersInput; output: StreamXinfoConsumersOutput };
  /** Set the last entry that a group has seen */
  'stream-xgroup-setid': {
    input: StreamXgroupSetidInput;
    /** Nothing. */
    output: null;
  };
  /** Create a consumer in a group */
  'stream-xgroup-createconsumer': {
    input: StreamXgroupCreateconsumerInput;
    /** true if the consumer was created, false if it existed. */
    output: boolean;
  };
  /** Delete a consumer of a group */
  'stream-xgroup-delconsumer': {
    input: StreamXgroupDelconsumerInput;
    /** Number of entries that were pending for the consumer. */
    output: number;
  };
  /** Delete entries, choosing what happens to group references */
  'stream-xdelex': { input: StreamXdelexInput; output: Deletions };
  /** Acknowledge entries and delete them, in one step */
  'stream-xackdel': { input: StreamXackdelInput; output: Deletions };
  /** Append entries to a stream, all or none */
  'stream-xadd-batch': { input: StreamXaddBatchInput; output: StreamXaddBatchOutput };
}
