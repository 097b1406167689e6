/*
 * An OpenTelemetry layer as a Lambda layer loads it, before the function: the SDK, the exporter over OTLP, and the
 * instrumentation that wraps the handler.
 */
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http');
const { AwsLambdaInstrumentation } = require('@opentelemetry/instrumentation-aws-lambda');
const { AlwaysOnSampler, BatchSpanProcessor, NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');

const provider = new NodeTracerProvider({
  sampler: new AlwaysOnSampler(), // Lambda's trace header says Sampled=0 while X-Ray is off
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();
new AwsLambdaInstrumentation().setTracerProvider(provider);
