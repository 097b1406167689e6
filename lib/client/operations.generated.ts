// Generated from the contracts by npm run generate. Do not edit.

/**
 * Input and output of every operation, by its name.
 */
export interface Operations {
  /**
   * List the tenant's business entities
   */
  'mdm-business-entities': {
    input: {
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * Internal id.
       */
      id: string;
      /**
       * Display name.
       */
      displayName: string;
      [k: string]: unknown;
    }[];
  };
  /**
   * Read the values of a code list
   */
  'mdm-codelist-read': {
    input: {
      /**
       * Id of the code list. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      id: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The code list, as the API returns it.
       */
      payload:
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | string
        | number
        | boolean
        | null;
      attributes: {
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Send a request to any path of the API, in the session of the connector
   */
  'mdm-http-request': {
    input:
      | {
          /**
           * HTTP method.
           */
          method: 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
          /**
           * Path under the base URL, with its first slash; reserved and non-ASCII characters percent-encoded. Must begin with one slash: a path of the API, not a URL. Must have no space at its end: encode it as %20. Must have no dot segments. Must have no control characters, \, ? or #; put the query into `query`.
           */
          path: string;
          /**
           * Query parameters; a list repeats its parameter.
           */
          query?: {
            [k: string]: string | number | boolean | (string | number | boolean)[];
          };
          /**
           * Request headers, except those of session, credentials, host, framing and forwarding (`x-forwarded-…`).
           */
          headers?: {
            /**
             * Must be printable ASCII.
             */
            [k: string]: string;
          };
          /**
           * Text is sent as it is, `{base64, contentType}` as bytes, anything else as JSON.
           */
          body?:
            | {
                [k: string]: unknown;
              }
            | unknown[]
            | string
            | number
            | boolean
            | null;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * HTTP method.
           */
          method: 'GET' | 'HEAD';
          /**
           * Path under the base URL, with its first slash; reserved and non-ASCII characters percent-encoded. Must begin with one slash: a path of the API, not a URL. Must have no space at its end: encode it as %20. Must have no dot segments. Must have no control characters, \, ? or #; put the query into `query`.
           */
          path: string;
          /**
           * Query parameters; a list repeats its parameter.
           */
          query?: {
            [k: string]: string | number | boolean | (string | number | boolean)[];
          };
          /**
           * Request headers, except those of session, credentials, host, framing and forwarding (`x-forwarded-…`).
           */
          headers?: {
            /**
             * Must be printable ASCII.
             */
            [k: string]: string;
          };
          body?: never;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        };
    output: {
      /**
       * Body of the response.
       */
      payload:
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | string
        | number
        | boolean
        | null;
      attributes: {
        /**
         * Reason phrase of the status line.
         */
        reasonPhrase: string;
        /**
         * Response headers, lower-case, without cookies.
         */
        headers: {
          [k: string]: string;
        };
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Read the state of a job
   */
  'mdm-job-read': {
    input: {
      /**
       * Id of the job, as text: it may exceed 2^53. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      id: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The job, as the API returns it.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the job as text, exact where it exceeds 2^53.
         */
        id?: string;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Start an ingress or egress job
   */
  'mdm-job-start': {
    input: {
      /**
       * Id of the job definition, as text. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      jobDefinitionId: string;
      /**
       * Whether records are taken in or given out.
       */
      kind: 'ingress' | 'egress';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The job, as the API returns it.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the job as text, exact where it exceeds 2^53.
         */
        id?: string;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Read a golden record by its business id or by a source key
   */
  'mdm-master-read': {
    input:
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          /**
           * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
           */
          businessId: string;
          sourceSystem?: never;
          sourcePKey?: never;
          /**
           * Use cached values for picklist lookups.
           */
          skipLookup?: boolean;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Return only pending (unmerged) records.
           */
          showPending?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          businessId?: never;
          /**
           * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
           */
          sourceSystem: string;
          /**
           * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
           */
          sourcePKey: string;
          /**
           * Use cached values for picklist lookups.
           */
          skipLookup?: boolean;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Return only pending (unmerged) records.
           */
          showPending?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        };
    output: {
      /**
       * The record with `_meta`, and `_contentMeta` where it was asked for.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Internal id of the business entity.
         */
        businessEntity?: string;
        /**
         * Who created it.
         */
        createdBy?: string;
        /**
         * When it was created, epoch milliseconds.
         */
        creationDate?: string;
        /**
         * Who updated it last.
         */
        updatedBy?: string;
        /**
         * When it was updated last, epoch milliseconds.
         */
        lastUpdateDate?: string;
        /**
         * Lifecycle: ACTIVE, INACTIVE, PENDING or another.
         */
        state?: string;
        /**
         * Data quality: PENDING, PASSED, FAILED, IN_PROGRESS, …
         */
        validation?: string;
        /**
         * Match and merge: MATCH_INDEXED, CONSOLIDATED, …
         */
        consolidation?: string;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Find golden records that resemble a record, with scores
   */
  'mdm-match': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Fields to match, as the business entity names them. Must not have maxRecordsToReturn or searchLevel: give maxRecords, searchLevel.
       */
      record: {
        [k: string]: unknown;
      };
      /**
       * The match model; without it, the one of the business entity.
       */
      matchModel?: string;
      /**
       * Most candidates; 100 by the API.
       */
      maxRecords?: number;
      /**
       * How widely to search, as the match model names it.
       */
      searchLevel?: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The candidates with their scores, as the API returns them.
       */
      payload:
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | string
        | number
        | boolean
        | null;
      attributes: {
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Merge golden records into one
   */
  'mdm-merge': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Records to merge, each by `businessId` or by a source key.
       *
       * @minItems 2
       * @maxItems 10
       */
      records: (
        | {
            /**
             * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
             */
            businessId: string;
            sourceSystem?: never;
            sourcePKey?: never;
          }
        | {
            businessId?: never;
            /**
             * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
             */
            sourceSystem: string;
            /**
             * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
             */
            sourcePKey: string;
          }
      )[];
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The response of the API; empty where it has no body.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Whether a person has to approve it first.
         */
        approvalRequired?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Read the data model, an entity, a relationship or other metadata
   */
  'mdm-metadata-read': {
    input:
      | {
          /**
           * What to read.
           */
          resource: 'DATAMODEL';
          objectInternalId?: never;
          /**
           * Only what has this name.
           */
          name?: string;
          pageSize?: never;
          pageOffset?: never;
          /**
           * RELATIONSHIP: read on to the last page.
           */
          allPages?: false;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * What to read.
           */
          resource: 'BUSINESS_ENTITY' | 'REFERENCE_ENTITY' | 'VIEW' | 'EXTERNAL_RESOURCE';
          /**
           * Internal id of the object. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
           */
          objectInternalId: string;
          /**
           * Only what has this name.
           */
          name?: string;
          pageSize?: never;
          pageOffset?: never;
          /**
           * RELATIONSHIP: read on to the last page.
           */
          allPages?: false;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * What to read.
           */
          resource: 'RELATIONSHIP';
          objectInternalId?: never;
          /**
           * Only what has this name.
           */
          name?: string;
          /**
           * RELATIONSHIP: objects per page.
           */
          pageSize?: number;
          /**
           * RELATIONSHIP: number of the page, from 0.
           */
          pageOffset?: number;
          /**
           * RELATIONSHIP: read on to the last page.
           */
          allPages?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        };
    output: {
      /**
       * The metadata, as the API gives it.
       */
      payload:
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | string
        | number
        | boolean
        | null;
      attributes: {
        /**
         * As asked for.
         */
        resource: string;
        /**
         * As asked for.
         */
        objectInternalId?: string;
        /**
         * With `allPages`: false when 6 MB or the deadline were reached before the end.
         */
        complete?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * JSON Schema of a business entity's records
   */
  'mdm-record-schema': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Whose records.
       */
      operation: 'master-read' | 'search' | 'source-read' | 'source-submit';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * The schema.
     */
    output: {
      [k: string]: unknown;
    };
  };
  /**
   * Create a relationship between two golden records
   */
  'mdm-relationship-create': {
    input: {
      /**
       * Internal id of the relationship; `metadata-read` of RELATIONSHIP lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      relationship: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * The golden record that it starts from.
       */
      from: {
        /**
         * Internal id of the business entity; `business-entities` lists them.
         */
        businessEntity: string;
        /**
         * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
         */
        businessId: string;
      };
      /**
       * The golden record that it leads to.
       */
      to: {
        /**
         * Internal id of the business entity; `business-entities` lists them.
         */
        businessEntity: string;
        /**
         * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
         */
        businessId: string;
      };
      /**
       * The hierarchy that the relationship belongs to.
       */
      hierarchy?: {
        /**
         * Type of the hierarchy.
         */
        type?: string;
        /**
         * Id of the hierarchy.
         */
        id?: string;
      };
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The response of the API; empty where it has no body.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the relationship, where the API gives one.
         */
        id?: string;
        /**
         * Whether a person has to approve it first.
         */
        approvalRequired?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Find the relationships from or to a golden record
   */
  'mdm-relationship-search': {
    input:
      | {
          /**
           * Internal id of the relationship; `metadata-read` of RELATIONSHIP lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
           */
          relationship: string;
          /**
           * The golden record that it starts from.
           */
          from: {
            /**
             * Internal id of the business entity; `business-entities` lists them.
             */
            businessEntity: string;
            /**
             * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
             */
            businessId: string;
          };
          /**
           * The golden record that it leads to.
           */
          to?: {
            /**
             * Internal id of the business entity; `business-entities` lists them.
             */
            businessEntity: string;
            /**
             * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
             */
            businessId: string;
          };
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Internal id of the relationship; `metadata-read` of RELATIONSHIP lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
           */
          relationship: string;
          from?: never;
          /**
           * The golden record that it leads to.
           */
          to: {
            /**
             * Internal id of the business entity; `business-entities` lists them.
             */
            businessEntity: string;
            /**
             * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
             */
            businessId: string;
          };
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        };
    output: {
      /**
       * The relationships, as the API returns them.
       */
      payload:
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | string
        | number
        | boolean
        | null;
      attributes: {
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Search golden records by text or by field
   */
  'mdm-search': {
    input:
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          /**
           * Text to search for in all fields; `*` matches every record.
           */
          search: string;
          fields?: never;
          /**
           * Additional filters.
           */
          filters?: {
            /**
             * Whether a record must pass all filters or one.
             */
            operator: 'AND' | 'OR';
            /**
             * @minItems 1
             */
            filter: (
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   */
                  fieldValue: string | number | boolean;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'BETWEEN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 2
                   * @maxItems 2
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IS_MISSING' | 'IS_NOT_MISSING';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  fieldValueGroups?: never;
                }
            )[];
          };
          /**
           * Order of the records, by the first field, then the next.
           *
           * @minItems 1
           */
          sort?: {
            /**
             * Name of the field, `c360person.lastName`.
             */
            fieldName: string;
            order?: 'ASCENDING' | 'DESCENDING';
          }[];
          /**
           * Records per page.
           */
          pageSize?: number;
          /**
           * Number of the page, from 0.
           */
          pageOffset?: number;
          recordsToReturn?: never;
          recordOffset?: never;
          /**
           * Maximum number of records in all.
           */
          maxRecords?: number;
          /**
           * Language of the search, `en`.
           */
          searchLocale?: string;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Read on to the last page.
           */
          allPages?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          /**
           * Text to search for in all fields; `*` matches every record.
           */
          search: string;
          fields?: never;
          /**
           * Additional filters.
           */
          filters?: {
            /**
             * Whether a record must pass all filters or one.
             */
            operator: 'AND' | 'OR';
            /**
             * @minItems 1
             */
            filter: (
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   */
                  fieldValue: string | number | boolean;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'BETWEEN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 2
                   * @maxItems 2
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IS_MISSING' | 'IS_NOT_MISSING';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  fieldValueGroups?: never;
                }
            )[];
          };
          /**
           * Order of the records, by the first field, then the next.
           *
           * @minItems 1
           */
          sort?: {
            /**
             * Name of the field, `c360person.lastName`.
             */
            fieldName: string;
            order?: 'ASCENDING' | 'DESCENDING';
          }[];
          pageSize?: never;
          pageOffset?: never;
          /**
           * Records to return.
           */
          recordsToReturn: number;
          /**
           * Records to skip.
           */
          recordOffset?: number;
          /**
           * Maximum number of records in all.
           */
          maxRecords?: number;
          /**
           * Language of the search, `en`.
           */
          searchLocale?: string;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Read on to the last page.
           */
          allPages?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          /**
           * Text to search for in all fields; `*` matches every record.
           */
          search: string;
          fields?: never;
          /**
           * Additional filters.
           */
          filters?: {
            /**
             * Whether a record must pass all filters or one.
             */
            operator: 'AND' | 'OR';
            /**
             * @minItems 1
             */
            filter: (
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   */
                  fieldValue: string | number | boolean;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'BETWEEN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 2
                   * @maxItems 2
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IS_MISSING' | 'IS_NOT_MISSING';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  fieldValueGroups?: never;
                }
            )[];
          };
          /**
           * Order of the records, by the first field, then the next.
           *
           * @minItems 1
           */
          sort?: {
            /**
             * Name of the field, `c360person.lastName`.
             */
            fieldName: string;
            order?: 'ASCENDING' | 'DESCENDING';
          }[];
          pageSize?: never;
          pageOffset?: never;
          recordsToReturn?: never;
          /**
           * Records to skip.
           */
          recordOffset: number;
          /**
           * Maximum number of records in all.
           */
          maxRecords?: number;
          /**
           * Language of the search, `en`.
           */
          searchLocale?: string;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Read on to the last page.
           */
          allPages?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          search?: never;
          /**
           * Text to search for, by field.
           */
          fields: {
            [k: string]: string;
          };
          /**
           * Additional filters.
           */
          filters?: {
            /**
             * Whether a record must pass all filters or one.
             */
            operator: 'AND' | 'OR';
            /**
             * @minItems 1
             */
            filter: (
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   */
                  fieldValue: string | number | boolean;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'BETWEEN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 2
                   * @maxItems 2
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IS_MISSING' | 'IS_NOT_MISSING';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  fieldValueGroups?: never;
                }
            )[];
          };
          /**
           * Order of the records, by the first field, then the next.
           *
           * @minItems 1
           */
          sort?: {
            /**
             * Name of the field, `c360person.lastName`.
             */
            fieldName: string;
            order?: 'ASCENDING' | 'DESCENDING';
          }[];
          /**
           * Records per page.
           */
          pageSize?: number;
          /**
           * Number of the page, from 0.
           */
          pageOffset?: number;
          recordsToReturn?: never;
          recordOffset?: never;
          /**
           * Maximum number of records in all.
           */
          maxRecords?: number;
          /**
           * Language of the search, `en`.
           */
          searchLocale?: string;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Read on to the last page.
           */
          allPages?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          search?: never;
          /**
           * Text to search for, by field.
           */
          fields: {
            [k: string]: string;
          };
          /**
           * Additional filters.
           */
          filters?: {
            /**
             * Whether a record must pass all filters or one.
             */
            operator: 'AND' | 'OR';
            /**
             * @minItems 1
             */
            filter: (
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   */
                  fieldValue: string | number | boolean;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'BETWEEN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 2
                   * @maxItems 2
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IS_MISSING' | 'IS_NOT_MISSING';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  fieldValueGroups?: never;
                }
            )[];
          };
          /**
           * Order of the records, by the first field, then the next.
           *
           * @minItems 1
           */
          sort?: {
            /**
             * Name of the field, `c360person.lastName`.
             */
            fieldName: string;
            order?: 'ASCENDING' | 'DESCENDING';
          }[];
          pageSize?: never;
          pageOffset?: never;
          /**
           * Records to return.
           */
          recordsToReturn: number;
          /**
           * Records to skip.
           */
          recordOffset?: number;
          /**
           * Maximum number of records in all.
           */
          maxRecords?: number;
          /**
           * Language of the search, `en`.
           */
          searchLocale?: string;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Read on to the last page.
           */
          allPages?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Internal id of the business entity; `business-entities` lists them.
           */
          businessEntity: string;
          search?: never;
          /**
           * Text to search for, by field.
           */
          fields: {
            [k: string]: string;
          };
          /**
           * Additional filters.
           */
          filters?: {
            /**
             * Whether a record must pass all filters or one.
             */
            operator: 'AND' | 'OR';
            /**
             * @minItems 1
             */
            filter: (
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   */
                  fieldValue: string | number | boolean;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'BETWEEN';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  /**
                   * One value; for IN a list, for BETWEEN a list of two, for IS_MISSING and IS_NOT_MISSING none.
                   *
                   * @minItems 2
                   * @maxItems 2
                   */
                  fieldValue: (string | number | boolean)[];
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups?: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
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
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  /**
                   * Groups of values, sent as they are, with `fieldValue` or in its place.
                   *
                   * @minItems 1
                   * @maxItems 10000
                   */
                  fieldValueGroups: (
                    | string
                    | number
                    | boolean
                    | {
                        [k: string]: unknown;
                      }
                    | unknown[]
                  )[];
                }
              | {
                  comparator: 'IS_MISSING' | 'IS_NOT_MISSING';
                  /**
                   * Name of the field, `c360person.lastName`.
                   */
                  fieldName: string;
                  fieldValue?: never;
                  fieldValueGroups?: never;
                }
            )[];
          };
          /**
           * Order of the records, by the first field, then the next.
           *
           * @minItems 1
           */
          sort?: {
            /**
             * Name of the field, `c360person.lastName`.
             */
            fieldName: string;
            order?: 'ASCENDING' | 'DESCENDING';
          }[];
          pageSize?: never;
          pageOffset?: never;
          recordsToReturn?: never;
          /**
           * Records to skip.
           */
          recordOffset: number;
          /**
           * Maximum number of records in all.
           */
          maxRecords?: number;
          /**
           * Language of the search, `en`.
           */
          searchLocale?: string;
          /**
           * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
           */
          showContentMeta?: boolean;
          /**
           * Read on to the last page.
           */
          allPages?: boolean;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        };
    output: {
      /**
       * The search response: `searchResult` with `hits` and `records`.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Total number of matching records.
         */
        hits?: number;
        /**
         * From the response, else as asked for.
         */
        pageSize?: number;
        /**
         * From the response, else as asked for.
         */
        pageOffset?: number;
        /**
         * From the response, else as asked for.
         */
        recordsToReturn?: number;
        /**
         * From the response, else as asked for.
         */
        recordOffset?: number;
        /**
         * As asked for.
         */
        maxRecords?: number;
        /**
         * With `allPages`: false when 10,000 records, 6 MB or the deadline were reached before the end.
         */
        complete?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Delete a source record
   */
  'mdm-source-delete': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
       */
      sourcePKey: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The response of the API; empty where it has no body.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Whether a person has to approve it first.
         */
        approvalRequired?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Put a source record on the stream for the consumer
   */
  'mdm-source-enqueue': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      businessId?: string;
      /**
       * Fields of the record, as the business entity names them. A field left out keeps its value, `null` clears it.
       */
      record: {
        [k: string]: unknown;
      };
      /**
       * Follow crosswalks between source keys.
       */
      resolveCrosswalk?: boolean;
      /**
       * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
       */
      sourcePKey: string;
      /**
       * Check the record against `record-schema` before anything is sent. Required fields are demanded of a record that is certainly new, with neither `sourcePKey` nor `businessId`.
       */
      validate?: boolean;
      /**
       * Name of the stream, without the shard. Default: the secret's. Must be well-formed Unicode.
       */
      stream?: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The shard that holds it.
       */
      stream: string;
      /**
       * Id of the entry.
       */
      id: string;
      [k: string]: unknown;
    };
  };
  /**
   * Put up to 500 source records on the stream for the consumer
   */
  'mdm-source-enqueue-batch': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Source records, each with its key; those of one key keep their order.
       *
       * @minItems 1
       * @maxItems 500
       */
      records: {
        /**
         * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
         */
        sourcePKey: string;
        /**
         * Fields of the record, as the business entity names them. A field left out keeps its value, `null` clears it.
         */
        record: {
          [k: string]: unknown;
        };
        /**
         * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
         */
        businessId?: string;
      }[];
      /**
       * Check all records against `record-schema` before any is sent.
       */
      validate?: boolean;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * Where each record is, in the order given.
       */
      ids: {
        /**
         * The shard that holds it.
         */
        stream: string;
        /**
         * Id of the entry.
         */
        id: string;
        [k: string]: unknown;
      }[];
      [k: string]: unknown;
    };
  };
  /**
   * List the source records of a golden record
   */
  'mdm-source-list': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      businessId: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * `content`: the `sourceSystem` and `sourcePKey` of each source record.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Change parts of a source record by JSON Patch
   */
  'mdm-source-patch': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
       */
      sourcePKey: string;
      /**
       * JSON Patch (RFC 6902): operations on the source record, in order.
       *
       * @minItems 1
       * @maxItems 1000
       */
      operations: (
        | {
            /**
             * What to do at the path.
             */
            op: 'add' | 'replace' | 'test';
            /**
             * JSON Pointer into the record, with or without its leading slash: `/name`, `PostalAddress/0/city`.
             */
            path: string;
            /**
             * JSON Pointer into the record, with or without its leading slash: `/name`, `PostalAddress/0/city`.
             */
            from?: string;
            /**
             * The value to add, replace or test; any JSON, `null` included.
             */
            value:
              | {
                  [k: string]: unknown;
                }
              | unknown[]
              | string
              | number
              | boolean
              | null;
          }
        | {
            /**
             * What to do at the path.
             */
            op: 'move' | 'copy';
            /**
             * JSON Pointer into the record, with or without its leading slash: `/name`, `PostalAddress/0/city`.
             */
            path: string;
            /**
             * JSON Pointer into the record, with or without its leading slash: `/name`, `PostalAddress/0/city`.
             */
            from: string;
            /**
             * The value to add, replace or test; any JSON, `null` included.
             */
            value?:
              | {
                  [k: string]: unknown;
                }
              | unknown[]
              | string
              | number
              | boolean
              | null;
          }
        | {
            /**
             * What to do at the path.
             */
            op: 'remove';
            /**
             * JSON Pointer into the record, with or without its leading slash: `/name`, `PostalAddress/0/city`.
             */
            path: string;
            /**
             * JSON Pointer into the record, with or without its leading slash: `/name`, `PostalAddress/0/city`.
             */
            from?: string;
            /**
             * The value to add, replace or test; any JSON, `null` included.
             */
            value?:
              | {
                  [k: string]: unknown;
                }
              | unknown[]
              | string
              | number
              | boolean
              | null;
          }
      )[];
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The response of the API; empty where it has no body.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Whether a person has to approve it first.
         */
        approvalRequired?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Read a source record, the cross reference of one source system
   */
  'mdm-source-read': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
       */
      sourcePKey: string;
      /**
       * Follow crosswalks between source keys.
       */
      resolveCrosswalk?: boolean;
      /**
       * Include `_contentMeta`: trust scores, survivorship and data enhancement rules.
       */
      showContentMeta?: boolean;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The record with `_meta`, and `_contentMeta` where it was asked for.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Internal id of the business entity.
         */
        businessEntity?: string;
        /**
         * Who created it.
         */
        createdBy?: string;
        /**
         * When it was created, epoch milliseconds.
         */
        creationDate?: string;
        /**
         * Who updated it last.
         */
        updatedBy?: string;
        /**
         * When it was updated last, epoch milliseconds.
         */
        lastUpdateDate?: string;
        /**
         * When the source updated it last, epoch milliseconds.
         */
        sourceLastUpdatedDate?: string;
        /**
         * Id of the source system.
         */
        sourceSystem?: string;
        /**
         * Primary key in the source system.
         */
        sourcePrimaryKey?: string;
        /**
         * Kind of cross reference.
         */
        xrefType?: string;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Replace a source record as a whole
   */
  'mdm-source-replace': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
       */
      sourcePKey: string;
      /**
       * The whole record, as the business entity names its fields.
       */
      record: {
        [k: string]: unknown;
      };
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The response of the API; empty where it has no body.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Whether a person has to approve it first.
         */
        approvalRequired?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Create or update a source record
   */
  'mdm-source-submit': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      businessId?: string;
      /**
       * Fields of the record, as the business entity names them. A field left out keeps its value, `null` clears it.
       */
      record: {
        [k: string]: unknown;
      };
      /**
       * Follow crosswalks between source keys.
       */
      resolveCrosswalk?: boolean;
      /**
       * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
       */
      sourcePKey?: string;
      /**
       * Check the record against `record-schema` before anything is sent. Required fields are demanded of a record that is certainly new, with neither `sourcePKey` nor `businessId`.
       */
      validate?: boolean;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The response of the API; empty where it has no body.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Whether a person has to approve it first.
         */
        approvalRequired?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Create or update up to 500 source records, each on its own
   */
  'mdm-source-submit-batch': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      sourceSystem: string;
      /**
       * Source records, each with its key; those of one key keep their order.
       *
       * @minItems 1
       * @maxItems 500
       */
      records: {
        /**
         * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
         */
        sourcePKey: string;
        /**
         * Fields of the record, as the business entity names them. A field left out keeps its value, `null` clears it.
         */
        record: {
          [k: string]: unknown;
        };
        /**
         * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
         */
        businessId?: string;
      }[];
      /**
       * Check all records against `record-schema` before any is sent.
       */
      validate?: boolean;
      /**
       * How many records are sent at the same time.
       */
      concurrency?: number;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * One per record, in the order given.
       */
      results: (
        | {
            /**
             * The response of the API; empty where it has no body.
             */
            payload: {
              [k: string]: unknown;
            };
            attributes: {
              /**
               * Id of the golden record.
               */
              businessId?: string;
              /**
               * Whether a person has to approve it first.
               */
              approvalRequired?: boolean;
              /**
               * HTTP status of the API.
               */
              statusCode: number;
              /**
               * Request id of the API, for its support team.
               */
              requestId?: string;
              [k: string]: unknown;
            };
            [k: string]: unknown;
          }
        | {
            /**
             * The problem of this record, with the members of an error response.
             */
            error: {
              type: string;
              title: string;
              status: number;
              detail: string;
              requestId: string;
              retryable: boolean;
              [k: string]: unknown;
            };
            [k: string]: unknown;
          }
      )[];
      [k: string]: unknown;
    };
  };
  /**
   * List the tenant's source systems, or those of one business entity
   */
  'mdm-source-systems': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity?: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * Internal id.
       */
      id: string;
      /**
       * Display name.
       */
      displayName: string;
      [k: string]: unknown;
    }[];
  };
  /**
   * Take source records out of a golden record
   */
  'mdm-unmerge': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the golden record. Text, even where it looks like a number. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
       */
      businessId: string;
      /**
       * Source records to take out of the golden record.
       *
       * @minItems 1
       * @maxItems 10
       */
      sources: {
        /**
         * Id of the source system; `source-systems` lists them. Must be text of 1 to 255 characters, not . or .., and without / \ and control characters.
         */
        sourceSystem: string;
        /**
         * Primary key of the record in its source system. Must be text of 1 to 1000 characters, not . or .., and without / % \ " ; [ ] and control characters.
         */
        sourcePKey: string;
      }[];
      /**
       * Which record keeps the relationships.
       */
      keepRelationships?: 'BUSINESS_ID' | 'REMAINS' | 'NONE';
      /**
       * Whether the remaining source records stay together: `ALL`, `NONE`.
       */
      groupRemaining?: string;
      /**
       * Whether the removed source records form one golden record: `ALL`, `NONE`.
       */
      groupRemoved?: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * The response of the API; empty where it has no body.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the golden record.
         */
        businessId?: string;
        /**
         * Whether a person has to approve it first.
         */
        approvalRequired?: boolean;
        /**
         * HTTP status of the API.
         */
        statusCode: number;
        /**
         * Request id of the API, for its support team.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Carry the entries of a stream to the MDM, or to another Lambda
   */
  'stream-consumer': {
    input: {
      /**
       * The shard, `source-submit:0`; with `shards`, their base name. Default: the secret's `ingest.stream`. Must be well-formed Unicode.
       */
      stream?: string;
      /**
       * The run takes whichever of `<stream>:0` and on have work. Default: one shard, `stream` by its whole name; without `stream` the `ingest.shards` of the secret.
       */
      shards?: number;
      /**
       * Consumer group. Default: the `ingest.group` of the secret. Must be well-formed Unicode.
       */
      group?: string;
      /**
       * Where dead letters are. Default: `{<stream>}:dead:<group>`. Must be well-formed Unicode.
       */
      deadLetterStream?: string;
      /**
       * `source-submit`, or the name or ARN of a Lambda. Default: `"source-submit"`.
       */
      target?: string;
      /**
       * Entries per read. Default: `100`.
       */
      batchSize?: number;
      /**
       * Entries sent to the target at the same time, over all shards. Default: `10`.
       */
      concurrency?: number;
      /**
       * Own failures of an entry after which it becomes a dead letter. Outages never count. Default: `5`.
       */
      maxDeliveries?: number;
      /**
       * Age after which any failure makes a dead letter, milliseconds.
       */
      maxAgeMs?: number;
      /**
       * Rest after the first failure, milliseconds; doubled with each, up to a minute. Default: `1000`.
       */
      backoffMs?: number;
      /**
       * How long a crashed run keeps others out, milliseconds. Default: `15000`.
       */
      leaseMs?: number;
      /**
       * Where a group begins that does not exist yet. Default: `"0"`.
       */
      startId?: string;
      /**
       * Delete entries that every group of the stream has processed. Default: `false`.
       */
      trim?: boolean;
      /**
       * Refusals of different keys in a row that open the breaker; 0: none do. Default: `20`.
       */
      refusalLimit?: number;
      /**
       * How long a drained run goes on looking after its last entry, milliseconds. Default: `0`.
       */
      lingerMs?: number;
      /**
       * Of a Lambda target: the field that orders entries. Default: none, the shard is one key. Must be well-formed Unicode.
       */
      keyField?: string;
      /**
       * Of a Lambda target: entries per invocation, at most. Default: `1`.
       */
      targetBatchSize?: number;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * New entries delivered.
       */
      read: number;
      /**
       * Entries that the target took.
       */
      processed: number;
      /**
       * Attempts that failed and leave their entry pending.
       */
      failed: number;
      /**
       * Entries given up.
       */
      deadLettered: number;
      /**
       * Pending entries of earlier runs taken up again.
       */
      recovered: number;
      /**
       * Pending entries whose body had been deleted.
       */
      deleted: number;
      /**
       * Groups that had to be made.
       */
      groupsCreated: number;
      /**
       * Entries pending now.
       */
      pending: number;
      /**
       * Entries not yet delivered; null where Redis does not know.
       */
      lag: number | null;
      /**
       * Age of the oldest pending entry in milliseconds, 0 where none is.
       */
      oldestPendingMs: number;
      /**
       * Why the run ended; docs/consumer.md explains each.
       */
      stoppedBecause:
        | 'group-destroyed'
        | 'lease-lost'
        | 'deadline'
        | 'paused'
        | 'target-refuses'
        | 'upstream-unavailable'
        | 'backpressure'
        | 'drained'
        | 'lease-held';
      [k: string]: unknown;
    };
  };
  /**
   * Pause the consumer, or let it go on
   */
  'stream-pause': {
    input:
      | {
          /**
           * A shard, `source-submit:0`; with `shards`, the name before the number. Default: the secret's. Must be well-formed Unicode.
           */
          stream?: string;
          /**
           * Number of shards. Default, without stream: the secret's.
           */
          shards?: number;
          /**
           * The group. Default: the secret's. Must be well-formed Unicode.
           */
          group?: string;
          /**
           * How long, milliseconds; at most 7 days.
           */
          forMs: number;
          resume?: never;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * A shard, `source-submit:0`; with `shards`, the name before the number. Default: the secret's. Must be well-formed Unicode.
           */
          stream?: string;
          /**
           * Number of shards. Default, without stream: the secret's.
           */
          shards?: number;
          /**
           * The group. Default: the secret's. Must be well-formed Unicode.
           */
          group?: string;
          forMs?: never;
          /**
           * End the pause.
           */
          resume: true;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        };
    output: {
      /**
       * When it goes on by itself; null: it may now.
       */
      pausedUntil: string | null;
      [k: string]: unknown;
    };
  };
  /**
   * Put dead letters back on their stream
   */
  'stream-redrive': {
    input: {
      /**
       * The shard, `source-submit:0`. Must be well-formed Unicode.
       */
      stream: string;
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Where dead letters are. Default: `{<stream>}:dead:<group>`. Must be well-formed Unicode.
       */
      deadLetterStream?: string;
      /**
       * The most to put back; fewer where the response would be over 6 MB.
       */
      count?: number;
      /**
       * Only those whose reason holds this text.
       */
      reason?: string;
      /**
       * Only those of this error type, `MDM:CLIENT_ERROR`.
       */
      errorType?: string;
      /**
       * Only those given up longer ago than this.
       */
      olderThanMs?: number;
      /**
       * Superseded letters too, and those of a shared stream that do not say their origin.
       */
      force?: boolean;
      /**
       * List them, and leave them where they are.
       */
      dryRun?: boolean;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * Dead letters put back.
       */
      redriven: number;
      /**
       * Letters that stay because their key went on without them.
       */
      superseded: number;
      /**
       * Dead letters left, whether they match or not.
       */
      remaining: number;
      /**
       * Those put back, or listed, and the first 1,000 of those that stay.
       */
      entries: {
        /**
         * Id of the dead letter.
         */
        id: string;
        /**
         * Id that the entry had in its stream.
         */
        sourceId: string;
        /**
         * What was wrong with it.
         */
        reason: string;
        /**
         * Type of the error it failed with last.
         */
        errorType: string;
        /**
         * How often it was delivered.
         */
        deliveries: number;
        /**
         * When it was given up.
         */
        time: string;
        /**
         * Whether it stays because a later entry of its key was processed or waits.
         */
        superseded: boolean;
        /**
         * Null where it stays: only listed, superseded, or without fields that could go back.
         */
        redrivenAs: string | null;
        [k: string]: unknown;
      }[];
      [k: string]: unknown;
    };
  };
  /**
   * Show where the consumer stands, by shard
   */
  'stream-status': {
    input: {
      /**
       * A shard, `source-submit:0`; with `shards`, the name before the number. Default: the secret's. Must be well-formed Unicode.
       */
      stream?: string;
      /**
       * Number of shards. Default, without stream: the secret's.
       */
      shards?: number;
      /**
       * The group. Default: all groups of `stream`; without stream, the secret's. Must be well-formed Unicode.
       */
      group?: string;
      /**
       * Where dead letters are. Default: `{<stream>}:dead:<group>`. Must be well-formed Unicode.
       */
      deadLetterStream?: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * A row for each shard and group; none for a stream without groups that was asked for all.
     */
    output: {
      /**
       * The shard.
       */
      stream: string;
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Entries in the stream, those processed included until they are trimmed.
       */
      length: number;
      /**
       * Entries not yet read by the group; null where Redis does not know.
       */
      lag: number | null;
      /**
       * Entries read and not yet acknowledged.
       */
      pending: number;
      /**
       * Age of the oldest pending entry, milliseconds; null where none is.
       */
      oldestPendingMs: number | null;
      /**
       * Age of the oldest entry not yet read, milliseconds; null where none is.
       */
      oldestUnreadMs: number | null;
      /**
       * Whether a run is active, or all are paused.
       */
      run: 'idle' | 'active' | 'paused';
      /**
       * When the pause ends; null without one, or where its end is not known.
       */
      pausedUntil: string | null;
      /**
       * closed: the target is called; open: it rests; half-open: the next run probes it.
       */
      breaker: 'closed' | 'open' | 'half-open';
      /**
       * How long the target rests still, milliseconds; 0 where it does not.
       */
      restMs: number;
      /**
       * The latest 10,000 by type and reason, the 20 most frequent first; the rest as `(other reasons)`.
       */
      deadLetters: {
        /**
         * Type of the error that made them dead letters.
         */
        errorType: string;
        /**
         * What was wrong with them.
         */
        reason: string;
        /**
         * How many.
         */
        count: number;
        [k: string]: unknown;
      }[];
      [k: string]: unknown;
    }[];
  };
  /**
   * Acknowledge entries as processed by a group
   */
  'stream-xack': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group: any text that another client made it with. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Entry ids, at least one.
       *
       * @minItems 1
       * @maxItems 100000
       *
       * Items: Entry id, `<milliseconds>-<sequence>`.
       */
      ids: string[];
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Entries acknowledged.
     */
    output: number;
  };
  /**
   * Append an entry to a stream, optionally evicting old ones
   */
  'stream-xadd': {
    /**
     * Must have id * where it has idempotency.
     */
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * true: a stream that is absent is not created.
       */
      noMkStream?: boolean;
      /**
       * Id of the new entry: `*` generates it (recommended), `<milliseconds>-*` generates its sequence only.
       */
      id?: string;
      /**
       * Caps the stream: `maxLength` (number of entries kept) or `id` (older entries are removed), not both.
       */
      evictionOption?:
        | {
            /**
             * Maximum number of entries kept. Beyond 2^53 as text.
             */
            maxLength: number | string;
            id?: never;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming?: boolean;
            limit?: never;
          }
        | {
            /**
             * Maximum number of entries kept. Beyond 2^53 as text.
             */
            maxLength: number | string;
            id?: never;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming: false;
            /**
             * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
             */
            limit: number | string;
          }
        | {
            maxLength?: never;
            /**
             * Entry id, `<milliseconds>-<sequence>`.
             */
            id: string;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming?: boolean;
            limit?: never;
          }
        | {
            maxLength?: never;
            /**
             * Entry id, `<milliseconds>-<sequence>`.
             */
            id: string;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming: false;
            /**
             * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
             */
            limit: number | string;
          };
      /**
       * Field-value pairs, at least one; a list of pairs with `format: "pairs"`.
       *
       * @minItems 1
       * @maxItems 100000
       */
      entry:
        | {
            /**
             * Value of the field. Must be well-formed Unicode.
             */
            [k: string]: string;
          }
        | string[][];
      /**
       * Adds the entry once, however often it is sent; needs `id` `*`. Redis 8.6 and newer.
       */
      idempotency?: {
        /**
         * Who adds the entry. Must be well-formed Unicode.
         */
        producer: string;
        /**
         * What the entry is to the producer. While Redis remembers it, a repetition adds nothing and gives the first id. Must be well-formed Unicode.
         */
        id: string;
      };
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Id of the new entry.
     */
    output: string | null;
  };
  /**
   * Delete entries
   */
  'stream-xdel': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Entry ids, at least one.
       *
       * @minItems 1
       * @maxItems 100000
       *
       * Items: Entry id, `<milliseconds>-<sequence>`.
       */
      ids: string[];
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Entries deleted.
     */
    output: number;
  };
  /**
   * Create a consumer group
   */
  'stream-xgroup-create': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Last entry that the group has seen: `$` starts at the current end, `0` processes all existing entries.
       */
      lastEntryId?: string;
      /**
       * true: a stream that is absent is created.
       */
      mkstream: boolean;
      /**
       * Number of entries already read, for accurate lag tracking; -1 is unknown. Beyond 2^53 as text.
       */
      entriesRead?: number | string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Nothing.
     */
    output: null;
  };
  /**
   * Destroy a consumer group
   */
  'stream-xgroup-destroy': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group: any text that another client made it with. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * true when the group was destroyed, false when it did not exist.
     */
    output: boolean;
  };
  /**
   * List the consumer groups of a stream
   */
  'stream-xinfo-groups': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * One object a group.
     */
    output: {
      /**
       * Group name.
       */
      name: string;
      /**
       * Number of consumers in the group.
       */
      consumers: number;
      /**
       * Entries pending acknowledgement.
       */
      pending: number;
      /**
       * Id of the last entry delivered to a consumer.
       */
      'last-delivered-id': string;
      /**
       * Entries read by the group.
       */
      'entries-read': number | null;
      /**
       * Entries in the stream not yet delivered.
       */
      lag: number | null;
      [k: string]: unknown;
    }[];
  };
  /**
   * Read a range of entries
   */
  'stream-xrange': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Id at the start of the range; `-` is the first of the stream, `(` before an id excludes it.
       */
      start: string;
      /**
       * Id at the end of the range; `+` is the last of the stream, `(` before an id excludes it.
       */
      end: string;
      /**
       * Maximum entries returned; 0 or less returns none. Beyond 2^53 as text.
       */
      count?: number | string;
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Field-value pairs by entry id, in the order they were read.
     */
    output: {
      [k: string]:
        | {
            [k: string]: string;
          }
        | string[][];
    };
  };
  /**
   * Read entries from one or more streams, optionally blocking
   */
  'stream-xread': {
    input: {
      /**
       * Maximum entries per stream; 0 or less is no limit. Beyond 2^53 as text.
       */
      count?: number | string;
      /**
       * Milliseconds to wait for new entries, at most the time that the invocation has left; 0 waits that long. Without it the command returns at once. Beyond 2^53 as text.
       */
      block?: number | string;
      /**
       * Streams to read, each once, and from where.
       *
       * @minItems 1
       * @maxItems 1000
       */
      streamWatermarks: {
        /**
         * Key of the stream: any text. Must be well-formed Unicode.
         */
        key: string;
        /**
         * Entries after this id: `0` reads from the beginning, `$` only new ones; `+` is the last entry (Redis 7.4 and newer).
         */
        id: string;
      }[];
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Entries by stream key; empty when there is nothing new. `entry` is null where the entry was deleted while it was pending.
     */
    output: {
      [k: string]: {
        id: string;
        entry:
          | (
              | {
                  [k: string]: string;
                }
              | string[][]
            )
          | null;
        /**
         * With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry.
         */
        idleMs?: number;
        /**
         * With `claimMinIdleMs`: earlier deliveries, 0 for a new entry.
         */
        deliveries?: number;
      }[];
    };
  };
  /**
   * Read entries as a member of a consumer group
   */
  'stream-xreadgroup': {
    input: {
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Name of the consumer within the group. Must be well-formed Unicode.
       */
      consumer: string;
      /**
       * Maximum entries per stream; 0 or less is no limit. Beyond 2^53 as text.
       */
      count?: number | string;
      /**
       * Milliseconds to wait for new entries, at most the time that the invocation has left; 0 waits that long. Without it the command returns at once. Beyond 2^53 as text.
       */
      block?: number | string;
      /**
       * true: entries count as acknowledged when read.
       */
      noack?: boolean;
      /**
       * Streams to read, each once, and from where.
       *
       * @minItems 1
       * @maxItems 1000
       */
      streamWatermarks: {
        /**
         * Key of the stream: any text. Must be well-formed Unicode.
         */
        key: string;
        /**
         * `>` reads entries not yet delivered to any consumer of the group; an id reads what is pending for this consumer after it.
         */
        id: string;
      }[];
      /**
       * Take over entries that have been pending for any consumer for at least so many milliseconds, before new ones; only with `>`. Redis 8.4 and newer. Beyond 2^53 as text.
       */
      claimMinIdleMs?: number | string;
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Entries by stream key; empty when there is nothing new. `entry` is null where the entry was deleted while it was pending.
     */
    output: {
      [k: string]: {
        id: string;
        entry:
          | (
              | {
                  [k: string]: string;
                }
              | string[][]
            )
          | null;
        /**
         * With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry.
         */
        idleMs?: number;
        /**
         * With `claimMinIdleMs`: earlier deliveries, 0 for a new entry.
         */
        deliveries?: number;
      }[];
    };
  };
  /**
   * Trim a stream by length or minimum id
   */
  'stream-xtrim': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Caps the stream: `maxLength` (number of entries kept) or `id` (older entries are removed), not both.
       */
      evictionOption:
        | {
            /**
             * Maximum number of entries kept. Beyond 2^53 as text.
             */
            maxLength: number | string;
            id?: never;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming?: boolean;
            limit?: never;
          }
        | {
            /**
             * Maximum number of entries kept. Beyond 2^53 as text.
             */
            maxLength: number | string;
            id?: never;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming: false;
            /**
             * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
             */
            limit: number | string;
          }
        | {
            maxLength?: never;
            /**
             * Entry id, `<milliseconds>-<sequence>`.
             */
            id: string;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming?: boolean;
            limit?: never;
          }
        | {
            maxLength?: never;
            /**
             * Entry id, `<milliseconds>-<sequence>`.
             */
            id: string;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming: false;
            /**
             * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
             */
            limit: number | string;
          };
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Entries deleted.
     */
    output: number;
  };
  /**
   * Count the entries of a stream
   */
  'stream-xlen': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Entries of the stream.
     */
    output: number;
  };
  /**
   * Read a range of entries, newest first
   */
  'stream-xrevrange': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Id at the start of the range; `-` is the first of the stream, `(` before an id excludes it.
       */
      start?: string;
      /**
       * Id at the end of the range; `+` is the last of the stream, `(` before an id excludes it.
       */
      end?: string;
      /**
       * Maximum entries returned; 0 or less returns none. Beyond 2^53 as text.
       */
      count?: number | string;
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Field-value pairs by entry id, in the order they were read.
     */
    output: {
      [k: string]:
        | {
            [k: string]: string;
          }
        | string[][];
    };
  };
  /**
   * List what is pending in a consumer group
   */
  'stream-xpending': {
    input:
      | {
          /**
           * Key of the stream: any text. Must be well-formed Unicode.
           */
          key: string;
          /**
           * Name of the consumer group: any text that another client made it with. Must be well-formed Unicode.
           */
          group: string;
          start?: never;
          end?: never;
          count?: never;
          consumer?: never;
          minIdleMs?: never;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        }
      | {
          /**
           * Key of the stream: any text. Must be well-formed Unicode.
           */
          key: string;
          /**
           * Name of the consumer group: any text that another client made it with. Must be well-formed Unicode.
           */
          group: string;
          /**
           * Id at the start of the range; `-` is the first of the stream, `(` before an id excludes it.
           */
          start: string;
          /**
           * Id at the end of the range; `+` is the last of the stream, `(` before an id excludes it.
           */
          end: string;
          /**
           * Maximum entries returned; 0 or less returns none. Beyond 2^53 as text.
           */
          count: number | string;
          /**
           * Name of the consumer within the group: any text that another client made it with. Must be well-formed Unicode.
           */
          consumer?: string;
          /**
           * Only entries that were last delivered at least so many milliseconds ago. Beyond 2^53 as text.
           */
          minIdleMs?: number | string;
          /**
           * Connector configuration: which secret holds the connection.
           */
          configRef?: string;
        };
    output:
      | {
          id: string;
          /**
           * Whom it is pending for.
           */
          consumer: string;
          /**
           * Milliseconds since its last delivery.
           */
          idleMs: number;
          /**
           * How often it was delivered.
           */
          deliveries: number;
          [k: string]: unknown;
        }[]
      | {
          /**
           * Entries pending.
           */
          count: number;
          /**
           * Lowest id pending.
           */
          minId: string | null;
          /**
           * Highest id pending.
           */
          maxId: string | null;
          consumers: {
            name: string;
            /**
             * Entries pending for it.
             */
            pending: number;
            [k: string]: unknown;
          }[];
          [k: string]: unknown;
        };
  };
  /**
   * Take over pending entries by their ids
   */
  'stream-xclaim': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group: any text that another client made it with. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Name of the consumer within the group: any text that another client made it with. Must be well-formed Unicode.
       */
      consumer: string;
      /**
       * Claims only entries that were last delivered at least so many milliseconds ago. Beyond 2^53 as text.
       */
      minIdleMs: number | string;
      /**
       * Entry ids, at least one.
       *
       * @minItems 1
       * @maxItems 100000
       *
       * Items: Entry id, `<milliseconds>-<sequence>`.
       */
      ids: string[];
      /**
       * Idle time to set, in milliseconds. Default: 0. Beyond 2^53 as text.
       */
      idleMs?: number | string;
      /**
       * Number of deliveries to set. Default: one more than before. Beyond 2^53 as text.
       */
      retryCount?: number | string;
      /**
       * true: claims entries too that are pending for nobody.
       */
      force?: boolean;
      /**
       * true: gives ids instead of entries, and counts no delivery.
       */
      justId?: boolean;
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output:
      | {
          id: string;
          entry:
            | (
                | {
                    [k: string]: string;
                  }
                | string[][]
              )
            | null;
          /**
           * With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry.
           */
          idleMs?: number;
          /**
           * With `claimMinIdleMs`: earlier deliveries, 0 for a new entry.
           */
          deliveries?: number;
        }[]
      | string[];
  };
  /**
   * Take over what has been pending for long
   */
  'stream-xautoclaim': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Name of the consumer within the group. Must be well-formed Unicode.
       */
      consumer: string;
      /**
       * Claims only entries that were last delivered at least so many milliseconds ago. Beyond 2^53 as text.
       */
      minIdleMs: number | string;
      /**
       * Where to look from: `0-0`, or `next` of the call before.
       */
      start?: string;
      /**
       * Maximum entries claimed.
       */
      count?: number;
      /**
       * true: gives ids instead of entries, and counts no delivery.
       */
      justId?: boolean;
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * Where the next call goes on; `0-0` when all was looked at.
       */
      next: string;
      entries:
        | {
            id: string;
            entry:
              | (
                  | {
                      [k: string]: string;
                    }
                  | string[][]
                )
              | null;
            /**
             * With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry.
             */
            idleMs?: number;
            /**
             * With `claimMinIdleMs`: earlier deliveries, 0 for a new entry.
             */
            deliveries?: number;
          }[]
        | string[];
      /**
       * Pending entries whose body had been deleted: they are pending no more.
       */
      deletedIds: string[];
      [k: string]: unknown;
    };
  };
  /**
   * Describe a stream
   */
  'stream-xinfo-stream': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * Entries of the stream.
       */
      length: number;
      /**
       * The greatest id it ever had.
       */
      'last-generated-id': string;
      /**
       * Number of groups.
       */
      groups: number;
      /**
       * Oldest entry.
       */
      'first-entry': {
        id: string;
        entry:
          | (
              | {
                  [k: string]: string;
                }
              | string[][]
            )
          | null;
        /**
         * With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry.
         */
        idleMs?: number;
        /**
         * With `claimMinIdleMs`: earlier deliveries, 0 for a new entry.
         */
        deliveries?: number;
      } | null;
      /**
       * Newest entry.
       */
      'last-entry': {
        id: string;
        entry:
          | (
              | {
                  [k: string]: string;
                }
              | string[][]
            )
          | null;
        /**
         * With `claimMinIdleMs`: milliseconds since the last delivery, 0 for a new entry.
         */
        idleMs?: number;
        /**
         * With `claimMinIdleMs`: earlier deliveries, 0 for a new entry.
         */
        deliveries?: number;
      } | null;
      [k: string]: unknown;
    };
  };
  /**
   * List the consumers of a group
   */
  'stream-xinfo-consumers': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group: any text that another client made it with. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * One object a consumer.
     */
    output: {
      /**
       * Consumer name.
       */
      name: string;
      /**
       * Entries pending for it.
       */
      pending: number;
      /**
       * Milliseconds since its last attempt to read.
       */
      idle: number;
      /**
       * Milliseconds since it last got an entry; from Redis 7.2 on.
       */
      inactive?: number;
      [k: string]: unknown;
    }[];
  };
  /**
   * Set the last entry that a group has seen
   */
  'stream-xgroup-setid': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Last entry that the group has seen: `$` is the current end, `-` or `0` is before the first entry.
       */
      lastEntryId: string;
      /**
       * Number of entries already read, for accurate lag tracking; -1 is unknown. Beyond 2^53 as text.
       */
      entriesRead?: number | string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Nothing.
     */
    output: null;
  };
  /**
   * Create a consumer in a group
   */
  'stream-xgroup-createconsumer': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Name of the consumer within the group. Must be well-formed Unicode.
       */
      consumer: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * true when it was created, false when it existed.
     */
    output: boolean;
  };
  /**
   * Delete a consumer of a group
   */
  'stream-xgroup-delconsumer': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group: any text that another client made it with. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Name of the consumer within the group: any text that another client made it with. Must be well-formed Unicode.
       */
      consumer: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Entries that were pending for it.
     */
    output: number;
  };
  /**
   * Delete entries, with a say about references to them
   */
  'stream-xdelex': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Entry ids, at least one.
       *
       * @minItems 1
       * @maxItems 100000
       *
       * Items: Entry id, `<milliseconds>-<sequence>`.
       */
      ids: string[];
      /**
       * `keep` leaves references in other groups as they are, `delete` removes them, `acked` deletes only entries that every group has acknowledged.
       */
      references?: 'keep' | 'delete' | 'acked';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * What became of each id, in the order given; `referenced` was kept for a group.
     */
    output: {
      id: string;
      result: 'deleted' | 'not-found' | 'referenced';
      [k: string]: unknown;
    }[];
  };
  /**
   * Acknowledge entries and delete them, in one step
   */
  'stream-xackdel': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Name of the consumer group. Must be well-formed Unicode.
       */
      group: string;
      /**
       * Entry ids, at least one.
       *
       * @minItems 1
       * @maxItems 100000
       *
       * Items: Entry id, `<milliseconds>-<sequence>`.
       */
      ids: string[];
      /**
       * `keep` leaves references in other groups as they are, `delete` removes them, `acked` deletes only entries that every group has acknowledged.
       */
      references?: 'keep' | 'delete' | 'acked';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * What became of each id, in the order given; `referenced` was kept for a group.
     */
    output: {
      id: string;
      result: 'deleted' | 'not-found' | 'referenced';
      [k: string]: unknown;
    }[];
  };
  /**
   * Append entries to a stream, all or none
   */
  'stream-xadd-batch': {
    input: {
      /**
       * Key of the stream: any text. Must be well-formed Unicode.
       */
      key: string;
      /**
       * Entries, 1 to 1,000, each of field-value pairs.
       *
       * @minItems 1
       * @maxItems 1000
       */
      entries: (
        | {
            /**
             * Value of the field. Must be well-formed Unicode.
             */
            [k: string]: string;
          }
        | string[][]
      )[];
      /**
       * true: a stream that is absent is not created.
       */
      noMkStream?: boolean;
      /**
       * Caps the stream: `maxLength` (number of entries kept) or `id` (older entries are removed), not both.
       */
      evictionOption?:
        | {
            /**
             * Maximum number of entries kept. Beyond 2^53 as text.
             */
            maxLength: number | string;
            id?: never;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming?: boolean;
            limit?: never;
          }
        | {
            /**
             * Maximum number of entries kept. Beyond 2^53 as text.
             */
            maxLength: number | string;
            id?: never;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming: false;
            /**
             * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
             */
            limit: number | string;
          }
        | {
            maxLength?: never;
            /**
             * Entry id, `<milliseconds>-<sequence>`.
             */
            id: string;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming?: boolean;
            limit?: never;
          }
        | {
            maxLength?: never;
            /**
             * Entry id, `<milliseconds>-<sequence>`.
             */
            id: string;
            /**
             * `false` may keep a few more entries, and is faster.
             */
            exactTrimming: false;
            /**
             * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
             */
            limit: number | string;
          };
      /**
       * Form of an entry: `object` has each field once; `pairs`, `[["tag","red"],["tag","blue"]]`, keeps repeated fields.
       */
      format?: 'object' | 'pairs';
      /**
       * How names and values are written: `utf8` is text, `base64` keeps any bytes.
       */
      encoding?: 'utf8' | 'base64';
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Ids of the new entries.
     */
    output: string[] | null;
  };
}
