import type { CallsDeps } from './calls.ts';
import { declareCalls } from './calls.ts';
import { declareOperatorCalls, type OperatorCallsDeps } from './operator-calls.ts';
import { readConfig } from './platform/config.ts';
import { adaptersDocument } from './platform/http/adapters-document.ts';
import { callDeclarer } from './platform/http/declare.ts';
import { operatorDeclarer } from './platform/http/declare-operator.ts';
import { documentCalls } from './platform/http/openapi.ts';
import { createHttpServer } from './platform/http/server.ts';

/** Every OpenAPI document by the name of its reader. */
export const openapiDocuments = async (): Promise<Record<string, object>> => ({
  member: await memberDocument(),
  operator: await operatorDocument(),
  adapters: adaptersDocument(),
});

/** As the routes declare it; needs no database, because nothing is answered. */
async function memberDocument(): Promise<object> {
  const app = await createHttpServer(readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }));
  await documentCalls(app);
  await app.register(async (scope) => {
    // Handlers keep their dependencies for the call; declaring touches none of them.
    declareCalls(callDeclarer(scope, {} as CallsDeps), {} as CallsDeps);
  });
  await app.ready();
  return app.swagger();
}

/** The same for the operators' API, which is served on the console's origin. */
async function operatorDocument(): Promise<object> {
  const app = await createHttpServer(readConfig({ SECRET: 'x'.repeat(32), LOG_LEVEL: 'silent' }));
  await documentCalls(app, 'operator');
  await app.register(async (scope) => {
    const door = () => Promise.resolve(null);
    declareOperatorCalls(operatorDeclarer(scope, door), {} as OperatorCallsDeps, { app: scope, door });
  });
  await app.ready();
  return app.swagger();
}
