/** The parts of an OpenAPI 3.1 document that this page reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  title?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

/** What an operation states of the master data API, and who says so. */
export interface Statement {
  statement: string;
  knownFrom: string;
  /** The page that says so. */
  url?: string;
}

interface OperationObject {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  'x-known-from'?: Statement[];
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, ResponseObject>;
}

export interface Document {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, { post?: OperationObject }>;
  components?: {
    schemas?: Record<string, Schema>;
    responses?: Record<string, ResponseObject>;
    securitySchemes?: Record<string, { type: string; description?: string }>;
  };
}
