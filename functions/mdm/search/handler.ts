import { mdmClient, type MdmClient } from '../../../lib/mdm/client.ts';
import { searchAllPages, searchPage } from '../../../lib/mdm/search.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import { search } from './contract.ts';

export const run: Run<typeof search, MdmClient> = ({ allPages, configRef: _, ...parameters }, mdm) =>
  allPages ? searchAllPages(mdm, parameters) : searchPage(mdm, parameters);

export const handler = endpoint(search, mdmClient, run);
