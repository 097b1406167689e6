import Type from 'typebox';

const text = (description: string) => Type.String({ description });
const closed = { additionalProperties: false };

/** A statement of an IAM policy. */
const Statement = Type.Object(
  {
    Effect: Type.Enum(['Allow', 'Deny']),
    Action: Type.Union([Type.String(), Type.Array(Type.String())]),
    Resource: Type.Union([Type.String(), Type.Array(Type.String())]),
    Condition: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))),
  },
  closed,
);

/** `manifest.json`, which stands beside the zips of the functions. */
export const ManifestSchema = Type.Object(
  {
    name: text('The project.'),
    version: text('Its version.'),
    runtime: text("Lambda's runtime of every function."),
    architecture: text("Lambda's architecture of every function."),
    parameters: Type.Array(
      Type.Object(
        {
          name: text('Its name; `{name}` stands for its value in the texts of this file.'),
          description: text('What it is for.'),
          allowed: text('Its values.'),
          pattern: Type.Optional(text('The form of its value, or of each of its values.')),
          minimum: Type.Optional(Type.Integer({ description: 'Its least value.' })),
          maximum: Type.Optional(Type.Integer({ description: 'Its greatest value.' })),
          default: Type.Optional(text('Its value if none is given.')),
        },
        closed,
      ),
      { description: 'The parameters of a deployment.' },
    ),
    core: Type.Array(Type.String(), { description: 'What `core` stands for among the `operations` of a deployment.' }),
    environment: Type.Array(
      Type.Object(
        {
          name: text('Its name.'),
          value: text('Its value. `{deadLetterTopicArn}`, for example, is the value of that parameter.'),
          when: Type.Optional(text('The parameter without which there is no such variable.')),
          contains: Type.Optional(text('What that parameter must contain for this variable.')),
          beside: Type.Optional(text('The function without which there is no such variable.')),
        },
        closed,
      ),
      {
        description:
          'Variables of every function. A later one of the same name has precedence, and those of the parameter ' +
          '`environment` have it over all.',
      },
    ),
    layers: Type.Array(Type.String(), {
      description:
        'Layers of every function, in this order: each the value, or the values, of a parameter; none if it has none.',
    }),
    needs: Type.Record(
      Type.String(),
      Type.Object(
        {
          when: Type.Optional(text('The parameter without which nothing of it is needed.')),
          beside: Type.Optional(text('The function without which nothing of it is needed.')),
          statements: Type.Array(Statement),
        },
        closed,
      ),
      {
        description:
          'What functions may need, and its rights. A resource that names a parameter with several values ' +
          'stands for one of each; a value that is an ARN takes the place of all that stands before it.',
      },
    ),
    functions: Type.Array(
      Type.Object(
        {
          name: text('Its name without service and stage; `{function}` in the statements of its needs.'),
          description: text('What it does.'),
          zip: text('File beside the manifest.'),
          sha256: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: 'Hash of the zip, in base64.' }),
          handler: text('Its handler.'),
          seconds: Type.Integer({ description: 'Its time limit.' }),
          memory: Type.Integer({ description: 'Its memory, in MB.' }),
          routes: Type.Array(text('A route of the HTTP API: `POST /mdm/search`.')),
          isDocument: Type.Boolean({ description: 'Whether its routes are open with `publicDocs`.' }),
          needs: Type.Array(text('A need, by its name.')),
          environment: Type.Record(Type.String(), Type.String(), { description: 'Further variables.' }),
          memoryFrom: Type.Optional(text('The parameter that sets its memory.')),
          reservedFrom: Type.Optional(text('The parameter that reserves concurrency for it; none without a value.')),
          isAudited: Type.Boolean({ description: 'Whether its log is kept `auditRetentionInDays`.' }),
          retries: Type.Integer({ description: 'Attempts of an asynchronous invocation after the first.' }),
          maxAgeSeconds: Type.Integer({ description: 'How long an asynchronous invocation may wait.' }),
          isRecursive: Type.Boolean({ description: 'Whether it may invoke itself without bound.' }),
        },
        closed,
      ),
    ),
    schedules: Type.Array(
      Type.Object(
        {
          function: text('The function that it invokes.'),
          rate: text('How often.'),
          when: Type.Optional(text('The parameter without which there is none.')),
          copies: text('How many there are for each of the `configRefs`: a number, or a parameter.'),
          input: Type.Record(Type.String(), Type.String(), {
            description: '`{configRef}` is one of the `configRefs`.',
          }),
          retries: Type.Integer(),
          maxAgeSeconds: Type.Integer(),
        },
        closed,
      ),
    ),
    alarms: Type.Array(
      Type.Object(
        {
          name: text('Its logical name.'),
          beside: Type.Optional(
            Type.Array(Type.String(), { description: 'Functions of which one must be deployed for such an alarm.' }),
          ),
          only: Type.Optional(
            Type.Record(Type.String(), Type.Array(Type.String()), {
              description:
                'Values of parameters with which there is such an alarm, by the names of the parameters. Of the ' +
                '`configRefs` there are `one` or `several`. A rate that no alarm names has none that depends on it.',
            }),
          ),
          properties: Type.Record(Type.String(), Type.Unknown(), {
            description:
              'Those of AWS::CloudWatch::Alarm. `{HttpApi}` is the id of the API, `{Queue}` the name of the ' +
              'dead-letter queue. With `{configRef}`, there is one for each of the `configRefs`.',
          }),
        },
        closed,
      ),
      { description: 'Of several alarms with the same name, a deployment has at most one.' },
    ),
    accessLog: text('Format of a line of the access log of the HTTP API, `/aws/http-api/{service}-{stage}`.'),
  },
  {
    ...closed,
    title: 'Manifest of the functions',
    description:
      'Everything that a deployment is made of. `{partition}`, `{region}`, `{account}` and `{urlSuffix}` are ' +
      'those of AWS, `{service}` and `{stage}` the names of the deployment, and every other `{name}` is a ' +
      'parameter.',
  },
);

export type Manifest = Type.Static<typeof ManifestSchema>;
