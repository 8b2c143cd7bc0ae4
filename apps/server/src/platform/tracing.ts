import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Spans of calls, ledger batches and partner calls; free while nothing collects them. */
const tracer = trace.getTracer('krapao');

/**
 * Sends traces to the collector of OTEL_EXPORTER_OTLP_ENDPOINT; without it nothing is loaded and spans do nothing.
 * Returns a function that sends pending spans.
 */
export async function startTracing(endpoint: string): Promise<{ stop(): Promise<void> }> {
  if (!endpoint) return { stop: async () => undefined };
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'krapao' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return { stop: () => provider.shutdown() };
}

const SPAN = Symbol('span');
type Traced = FastifyRequest & { [SPAN]?: Span };

/** A span a call, named by its route, never by its path: paths carry names and secrets. */
export function traceCalls(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = propagation.extract(context.active(), request.headers);
    const name = `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
    const span = tracer.startSpan(
      name,
      { kind: SpanKind.SERVER, attributes: { 'krapao.request_id': request.id } },
      parent,
    );
    (request as Traced)[SPAN] = span;
    context.with(trace.setSpan(parent, span), done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const span = (request as Traced)[SPAN];
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}

/** Runs work inside a span of its own; a throw marks it failed and goes on. */
export function inSpan<T>(name: string, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Headers by which a partner's traces can be joined with ours. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
