import type { Operation } from '#lib/contract/operation.ts';
import { streamCheck } from './consumer/check/contract.ts';
import { consumer } from './consumer/consumer/contract.ts';
import { entryStatus } from './consumer/entry-status/contract.ts';
import { pause } from './consumer/pause/contract.ts';
import { redrive } from './consumer/redrive/contract.ts';
import { status } from './consumer/status/contract.ts';
import { businessEntities } from './mdm/business-entities/contract.ts';
import { mdmCheck } from './mdm/check/contract.ts';
import { codelistRead } from './mdm/codelist-read/contract.ts';
import { httpRequest } from './mdm/http-request/contract.ts';
import { jobRead } from './mdm/job-read/contract.ts';
import { jobStart } from './mdm/job-start/contract.ts';
import { masterDelete } from './mdm/master-delete/contract.ts';
import { masterPatch } from './mdm/master-patch/contract.ts';
import { masterRead } from './mdm/master-read/contract.ts';
import { masterUpdate } from './mdm/master-update/contract.ts';
import { match } from './mdm/match/contract.ts';
import { merge } from './mdm/merge/contract.ts';
import { mergePreview } from './mdm/merge-preview/contract.ts';
import { metadataRead } from './mdm/metadata-read/contract.ts';
import { recordSchema } from './mdm/record-schema/contract.ts';
import { relationshipCreate } from './mdm/relationship-create/contract.ts';
import { relationshipDelete } from './mdm/relationship-delete/contract.ts';
import { relationshipRead } from './mdm/relationship-read/contract.ts';
import { relationshipSearch } from './mdm/relationship-search/contract.ts';
import { relationshipUpdate } from './mdm/relationship-update/contract.ts';
import { search } from './mdm/search/contract.ts';
import { sourceDelete } from './mdm/source-delete/contract.ts';
import { sourceEnqueue } from './consumer/source-enqueue/contract.ts';
import { sourceEnqueueBatch } from './consumer/source-enqueue-batch/contract.ts';
import { sourceList } from './mdm/source-list/contract.ts';
import { sourcePatch } from './mdm/source-patch/contract.ts';
import { sourceRead } from './mdm/source-read/contract.ts';
import { sourceReplace } from './mdm/source-replace/contract.ts';
import { sourceSubmit } from './mdm/source-submit/contract.ts';
import { sourceSubmitBatch } from './mdm/source-submit-batch/contract.ts';
import { sourceSystems } from './mdm/source-systems/contract.ts';
import { unmerge } from './mdm/unmerge/contract.ts';
import { xack } from './stream/xack/contract.ts';
import { xadd } from './stream/xadd/contract.ts';
import { xdel } from './stream/xdel/contract.ts';
import { xgroupCreate } from './stream/xgroup-create/contract.ts';
import { xgroupDestroy } from './stream/xgroup-destroy/contract.ts';
import { xinfoGroups } from './stream/xinfo-groups/contract.ts';
import { xrange } from './stream/xrange/contract.ts';
import { xread } from './stream/xread/contract.ts';
import { xreadgroup } from './stream/xreadgroup/contract.ts';
import { xtrim } from './stream/xtrim/contract.ts';
import { xlen } from './stream/xlen/contract.ts';
import { xrevrange } from './stream/xrevrange/contract.ts';
import { xpending } from './stream/xpending/contract.ts';
import { xclaim } from './stream/xclaim/contract.ts';
import { xautoclaim } from './stream/xautoclaim/contract.ts';
import { xinfoStream } from './stream/xinfo-stream/contract.ts';
import { xinfoConsumers } from './stream/xinfo-consumers/contract.ts';
import { xgroupSetid } from './stream/xgroup-setid/contract.ts';
import { xgroupCreateconsumer } from './stream/xgroup-createconsumer/contract.ts';
import { xgroupDelconsumer } from './stream/xgroup-delconsumer/contract.ts';
import { xdelex } from './stream/xdelex/contract.ts';
import { xackdel } from './stream/xackdel/contract.ts';
import { xaddBatch } from './stream/xadd-batch/contract.ts';

/** Every operation that exists. Imports contracts and nothing else, so reading it starts nothing. */
export const registry: readonly Operation[] = [
  businessEntities,
  codelistRead,
  mdmCheck,
  httpRequest,
  jobRead,
  jobStart,
  masterDelete,
  masterPatch,
  masterRead,
  masterUpdate,
  match,
  merge,
  mergePreview,
  metadataRead,
  recordSchema,
  relationshipCreate,
  relationshipDelete,
  relationshipRead,
  relationshipSearch,
  relationshipUpdate,
  search,
  sourceDelete,
  sourceEnqueue,
  sourceEnqueueBatch,
  sourceList,
  sourcePatch,
  sourceRead,
  sourceReplace,
  sourceSubmit,
  sourceSubmitBatch,
  sourceSystems,
  unmerge,
  consumer,
  pause,
  streamCheck,
  entryStatus,
  redrive,
  status,
  xack,
  xadd,
  xdel,
  xgroupCreate,
  xgroupDestroy,
  xinfoGroups,
  xrange,
  xread,
  xreadgroup,
  xtrim,
  xlen,
  xrevrange,
  xpending,
  xclaim,
  xautoclaim,
  xinfoStream,
  xinfoConsumers,
  xgroupSetid,
  xgroupCreateconsumer,
  xgroupDelconsumer,
  xdelex,
  xackdel,
  xaddBatch,
];
