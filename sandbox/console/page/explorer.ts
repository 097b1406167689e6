import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { post } from './api.ts';
import { useLatest } from './latest.ts';
import { Table } from './table.ts';

const ENTITY = 'c360.city';
const PAGE_SIZE = 10;
const FIRST_QUERY = 'Lagos';
const FIELD_COLUMNS = ['Field', 'Value that survived', 'From'];

interface Found {
  payload: { searchResult: { hits?: number; records: Record<string, unknown>[] } };
}

interface Golden {
  payload: Record<string, unknown> & {
    _contentMeta?: { trust?: { fieldData?: { name: string; sourceSystem: string }[] } };
  };
  attributes: { businessId?: string };
}

/** Finds a golden record, and shows the source of each field. */
export function Explorer() {
  const [records, setRecords] = useState<readonly Row[]>([]);
  const [golden, setGolden] = useState<Golden>();
  const [message, setMessage] = useState('');

  const [latestSearch, latestRead] = [useLatest(setMessage), useLatest(setMessage)];

  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const query = new FormData(event.currentTarget as HTMLFormElement).get('city') as string;
    const found = post<Found>('mdm/search', { businessEntity: ENTITY, search: query, pageSize: PAGE_SIZE });
    return latestSearch(found, ({ payload: { searchResult } }) => {
      setRecords(searchResult.records.map((record) => rowOf(record, query)));
      setMessage(`${searchResult.hits ?? 0} golden records`);
    });
  };
  const open = (businessId: string) =>
    latestRead(
      post<Golden>('mdm/master-read', { businessEntity: ENTITY, businessId, showContentMeta: true }),
      setGolden,
    );

  return html`
    <section aria-labelledby="golden">
      <h2 id="golden">Golden records</h2>
      <form onSubmit=${search} class="search">
        <label>City <input id="city" name="city" defaultValue=${FIRST_QUERY} /></label>
        <button class="run">Search</button>
      </form>
      <p role="status">${message}</p>
      <div class="pair">
        <ul class="found">
          ${records.map(
            ({ id, name, match }) =>
              html`<li key=${id}>
                <button onClick=${() => open(id)}>${name} ${id}</button>
                ${match && html` <span class="quiet">${match}</span>`}
              </li>`,
          )}
        </ul>
        ${golden && html`<${Fields} golden=${golden} />`}
      </div>
    </section>
  `;
}

function Fields({ golden: { payload, attributes } }: { golden: Golden }) {
  const sources = new Map(
    payload._contentMeta?.trust?.fieldData?.map(({ name, sourceSystem }) => [name, sourceSystem]),
  );
  const fields = Object.entries(payload).filter(([name]) => !name.startsWith('_'));
  return html`
    <${Table} id="golden-fields" label=${`Golden record ${attributes.businessId}`} columns=${FIELD_COLUMNS}>
      ${fields.map(
        ([name, value]) => html`
          <tr key=${name}>
            <th scope="row">${name}</th>
            <td>${typeof value === 'string' ? value : JSON.stringify(value)}</td>
            <td><span class=${`badge source-${sources.get(name)}`}>${sources.get(name) ?? ''}</span></td>
          </tr>
        `,
      )}
    <//>
  `;
}

interface Row {
  readonly id: string;
  readonly name: string;
  /** The field that the search found, if it is not the name. */
  readonly match: string | undefined;
}

function rowOf(record: Record<string, unknown>, query: string): Row {
  const { businessId } = record._meta as { businessId: string };
  const name = String(record['c360city.name']);
  const words = query.toLowerCase().split(/\s+/);
  const holds = (value: unknown) => words.some((word) => textOf(value).toLowerCase().includes(word));
  const found = Object.entries(record).find(([field, value]) => !field.startsWith('_') && holds(value));
  const match = found && !holds(name) ? `${found[0].replace(/^c360city\./, '')}: ${textOf(found[1])}` : undefined;
  return { id: businessId, name, match };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
