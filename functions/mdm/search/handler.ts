import { openMdm, type MdmClient } from '#lib/mdm/client/client.ts';
import { searchAllPages } from '#lib/mdm/records/search-pages.ts';
import { searchPage } from '#lib/mdm/records/search.ts';
import { endpoint, type Implementation } from '#lib/endpoint/endpoint.ts';
import { search } from './contract.ts';

export const run: Implementation<typeof search, MdmClient> = async (
  { allPages, configRef: _, ...query },
  mdm,
  { deadline },
) => (allPages ? searchAllPages(mdm, query, deadline) : (await searchPage(mdm, query)).response);

export const handler = endpoint(search, openMdm, run);
