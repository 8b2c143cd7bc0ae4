import type { Pool, PoolClient } from 'pg';

export type { Pool, PoolClient } from 'pg';

/** Where a query runs: by itself on a connection of the pool, or in the transaction of a client. */
export type Db = Pool | PoolClient;
