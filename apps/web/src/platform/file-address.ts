import { config } from './config.ts';

/** The address of a file that the server names by its path: on the backend, whichever origin this page came from. */
export const fileAddress = (path: string): string => (path.startsWith('/') ? config.apiBase + path : path);
