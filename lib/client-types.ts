// Generated from the contracts by npm run generate. Do not edit.

/**
 * Input and output of every operation, by its name.
 */
export interface Operations {
  /**
   * Read a golden record by its business id or by a source key
   */
  'mdm-master-read': {
    input: {
      [k: string]: unknown;
    } & {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the master record. Text, even where it looks like a number.
       */
      businessId?: string;
      /**
       * Id of the source system; `source-systems` lists them.
       */
      sourceSystem?: string;
      /**
       * Primary key of the record in its source system.
       */
      sourcePKey?: string;
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
         * Id of the master record.
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
         * Request id of the API, for its support.
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
       * Id of the source system; `source-systems` lists them.
       */
      sourceSystem: string;
      /**
       * Id of the master record. Text, even where it looks like a number.
       */
      businessId?: string;
      /**
       * The record, in the fields of the business entity. Fields left out stay, `null` empties one.
       */
      record: {
        [k: string]: unknown;
      };
      /**
       * Follow crosswalks between source keys.
       */
      resolveCrosswalk?: boolean;
      /**
       * Primary key of the record in its source system.
       */
      sourcePKey: string;
      /**
       * Name of the stream, without the shard. Default: the secret's.
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
   * Create or update a source record
   */
  'mdm-source-submit': {
    input: {
      /**
       * Internal id of the business entity; `business-entities` lists them.
       */
      businessEntity: string;
      /**
       * Id of the source system; `source-systems` lists them.
       */
      sourceSystem: string;
      /**
       * Id of the master record. Text, even where it looks like a number.
       */
      businessId?: string;
      /**
       * The record, in the fields of the business entity. Fields left out stay, `null` empties one.
       */
      record: {
        [k: string]: unknown;
      };
      /**
       * Follow crosswalks between source keys.
       */
      resolveCrosswalk?: boolean;
      /**
       * Primary key of the record in its source system.
       */
      sourcePKey?: string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    output: {
      /**
       * What the API answered.
       */
      payload: {
        [k: string]: unknown;
      };
      attributes: {
        /**
         * Id of the master record it belongs to.
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
         * Request id of the API, for its support.
         */
        requestId?: string;
        [k: string]: unknown;
      };
      [k: string]: unknown;
    };
  };
  /**
   * Acknowledge entries as processed by a group
   */
  'stream-xack': {
    input: {
      /**
       * Key of the stream: any text.
       */
      key: string;
      /**
       * Name of the consumer group.
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
      ids: [string, ...string[]];
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
    input: {
      /**
       * Key of the stream: any text.
       */
      key: string;
      /**
       * true: a stream that is absent is not created.
       */
      noMkStream?: boolean;
      /**
       * Id of the new entry: `*` makes one (recommended), `<milliseconds>-*` its sequence alone.
       */
      id?: string;
      /**
       * Caps the stream: `maxLength` (number of entries kept) or `id` (older entries are removed), not both.
       */
      evictionOption?: {
        [k: string]: unknown;
      } & {
        /**
         * Maximum number of entries kept. Beyond 2^53 as text.
         */
        maxLength?: number | string;
        /**
         * Entry id, `<milliseconds>-<sequence>`.
         */
        id?: string;
        /**
         * false allows to keep some more entries, and is faster.
         */
        exactTrimming?: boolean;
        /**
         * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
         */
        limit?: number | string;
      };
      /**
       * Field-value pairs, at least one.
       */
      entry: {
        /**
         * Value of the field.
         */
        [k: string]: string;
      };
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
       * Key of the stream: any text.
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
      ids: [string, ...string[]];
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
       * Key of the stream: any text.
       */
      key: string;
      /**
       * Name of the consumer group.
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
       * Key of the stream: any text.
       */
      key: string;
      /**
       * Name of the consumer group.
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
       * Key of the stream: any text.
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
       * Key of the stream: any text.
       */
      key: string;
      /**
       * Id at the start of the range; `-` is that of the stream, `(` before an id leaves it out.
       */
      start: string;
      /**
       * Id at the end of the range; `+` is that of the stream, `(` before an id leaves it out.
       */
      end: string;
      /**
       * Maximum entries returned; 0 or less returns none. Beyond 2^53 as text.
       */
      count?: number | string;
      /**
       * Connector configuration: which secret holds the connection.
       */
      configRef?: string;
    };
    /**
     * Field-value pairs by entry id, in the order of the stream.
     */
    output: {
      [k: string]: {
        [k: string]: string;
      };
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
       * Milliseconds to wait for new entries, held to the time that the invocation has left; 0 is as long as that allows. Left out: answer at once. Beyond 2^53 as text.
       */
      block?: number | string;
      /**
       * Streams to read, each once, and from where.
       *
       * @minItems 1
       * @maxItems 1000
       */
      streamWatermarks: [
        {
          /**
           * Key of the stream: any text.
           */
          key: string;
          /**
           * Entries after this id: `0` reads from the beginning, `$` only new ones; `+` is the last entry (Redis 7.4 and newer).
           */
          id: string;
        },
        ...{
          /**
           * Key of the stream: any text.
           */
          key: string;
          /**
           * Entries after this id: `0` reads from the beginning, `$` only new ones; `+` is the last entry (Redis 7.4 and newer).
           */
          id: string;
        }[],
      ];
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
        entry: {
          [k: string]: string;
        } | null;
      }[];
    };
  };
  /**
   * Read entries as a member of a consumer group
   */
  'stream-xreadgroup': {
    input: {
      /**
       * Name of the consumer group.
       */
      group: string;
      /**
       * Name of the consumer within the group.
       */
      consumer: string;
      /**
       * Maximum entries per stream; 0 or less is no limit. Beyond 2^53 as text.
       */
      count?: number | string;
      /**
       * Milliseconds to wait for new entries, held to the time that the invocation has left; 0 is as long as that allows. Left out: answer at once. Beyond 2^53 as text.
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
      streamWatermarks: [
        {
          /**
           * Key of the stream: any text.
           */
          key: string;
          /**
           * `>` reads entries not yet delivered to any consumer of the group; an id reads what is pending for this consumer after it.
           */
          id: string;
        },
        ...{
          /**
           * Key of the stream: any text.
           */
          key: string;
          /**
           * `>` reads entries not yet delivered to any consumer of the group; an id reads what is pending for this consumer after it.
           */
          id: string;
        }[],
      ];
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
        entry: {
          [k: string]: string;
        } | null;
      }[];
    };
  };
  /**
   * Trim a stream by length or minimum id
   */
  'stream-xtrim': {
    input: {
      /**
       * Key of the stream: any text.
       */
      key: string;
      /**
       * Caps the stream: `maxLength` (number of entries kept) or `id` (older entries are removed), not both.
       */
      evictionOption: {
        [k: string]: unknown;
      } & {
        /**
         * Maximum number of entries kept. Beyond 2^53 as text.
         */
        maxLength?: number | string;
        /**
         * Entry id, `<milliseconds>-<sequence>`.
         */
        id?: string;
        /**
         * false allows to keep some more entries, and is faster.
         */
        exactTrimming?: boolean;
        /**
         * Most entries that one trim removes, 0 for no limit. Needs `exactTrimming: false`. Beyond 2^53 as text.
         */
        limit?: number | string;
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
}
