/*
 * An OpenTelemetry layer as a Lambda layer loads it, before the function: the SDK, and the instrumentation that wraps
 * the handler. Each span is a line of the log.
 */
const { AwsLambdaInstrumentation } = require('@opentelemetry/instrumentation-aws-lambda');
const { AlwaysOnSampler, NodeTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-node');

const exporter = {
  export(spans, done) {
    for (const { name, attributes, status } of spans) {
      process.stdout.write(`${JSON.stringify({ span: name, attributes, status })}\n`);
    }
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};
const provider = new NodeTracerProvider({
  sampler: new AlwaysOnSampler(), // Lambda's trace header says Sampled=0 while X-Ray is off
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
provider.register();
new AwsLambdaInstrumentation().setTracerProvider(provider);
