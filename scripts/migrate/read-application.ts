import { DOMParser, type Element } from '@xmldom/xmldom';
import { ScriptError } from '../arguments.ts';
import { CONNECTORS } from './connectors.ts';
import { resolved, type Properties } from './properties.ts';

/** An element of one of the connectors. */
export interface MuleElement {
  readonly line: number;
  /** As it is written: `b360:source-submit`. */
  readonly name: string;
  /** Its connector's name. */
  readonly connector: string;
  readonly localName: string;
  /** The flow or sub-flow around it. */
  readonly flow: string;
  readonly element: Element;
}

/** An element of a flow that belongs to neither connector: `foreach`, `http:listener`. */
export type OtherElement = Pick<MuleElement, 'line' | 'name' | 'flow'>;

export interface Application {
  /** The elements of both connectors, in the order of the file. */
  readonly elements: readonly MuleElement[];
  readonly others: readonly OtherElement[];
}

/** The elements of a file of a Mule application, with the values of their placeholders. */
export function readApplication(xml: string, path: string, properties: Properties): Application {
  const document = parse(xml, path);
  fillIn(document, properties);
  const found: MuleElement[] = [];
  const others: OtherElement[] = [];
  const visit = (element: Element, flow: string) => {
    const isFlow = /^(sub-)?flow$/.test(element.localName ?? '');
    const inFlow = isFlow ? (element.getAttribute('name') ?? '') : flow;
    const connector = connectorOf(element);
    if (connector !== undefined) {
      const { lineNumber = 0, tagName: name, localName } = element;
      found.push({ line: lineNumber, name, connector, localName: localName ?? '', flow: inFlow, element });
    } else if (flow !== '') others.push({ line: element.lineNumber ?? 0, name: element.tagName, flow });
    for (const child of childrenOf(element)) {
      const isPart = connector !== undefined && child.namespaceURI === element.namespaceURI;
      if (!isPart) visit(child, inFlow);
    }
  };
  visit(document, '');
  return { elements: found, others };
}

function parse(xml: string, path: string): Element {
  try {
    const onError = (level: string, message: string) => {
      if (level !== 'warning') throw new Error(message);
    };
    return new DOMParser({ onError }).parseFromString(xml, 'text/xml').documentElement!;
  } catch (error) {
    throw new ScriptError(`${path} is not XML: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Puts values in place of placeholders, in attributes and texts, as Mule does before it looks at either. */
function fillIn(element: Element, properties: Properties): void {
  for (const attribute of Array.from(element.attributes)) attribute.value = resolved(attribute.value, properties);
  for (const node of Array.from(element.childNodes)) {
    if (node.nodeType === node.ELEMENT_NODE) fillIn(node as Element, properties);
    else if (node.nodeValue !== null) node.nodeValue = resolved(node.nodeValue, properties);
  }
}

const connectorOf = ({ namespaceURI }: Element): string | undefined =>
  Object.entries(CONNECTORS).find(([end]) => namespaceURI?.endsWith(end))?.[1].name;

/** The elements directly inside. */
export const childrenOf = (element: Element): Element[] =>
  Array.from(element.childNodes).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);

/** The attributes without those of the tool: `doc:name`, namespaces. */
export const attributesOf = (element: Element): [string, string][] =>
  Array.from(element.attributes)
    .map(({ name, value }): [string, string] => [name, value])
    .filter(([name]) => !/^(doc:|xmlns)/.test(name));

/** Whether a text stands in the element, be it around other elements. */
export const hasText = (element: Element): boolean =>
  Array.from(element.childNodes).some(
    ({ nodeType, TEXT_NODE, CDATA_SECTION_NODE, nodeValue }) =>
      (nodeType === TEXT_NODE || nodeType === CDATA_SECTION_NODE) && nodeValue?.trim() !== '',
  );
