import type { CallsDeps } from './calls.ts';
import { declareCalls } from './calls.ts';
import { readConfig } from './platform/config.ts';
import { callDeclarer } from './platform/http/declare.ts';
import { documentCalls } from './platform/http/openapi.ts';
import { createHttpServer } from './platform/http/server.ts';

/** The OpenAPI document as the routes declare it; needs no database, because nothing is answered. */
export async function openapiDocument(): Promise<object> {
  const app = await createHttpServer(readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }));
  await documentCalls(app);
  await app.register(async (scope) => {
    // Handlers keep their dependencies for the call; declaring touches none of them.
    declareCalls(callDeclarer(scope, {} as CallsDeps), {} as CallsDeps);
  });
  await app.ready();
  return app.swagger();
}
