// Node 20 reads no TypeScript, and a worker does not inherit tsx from the thread that starts it. In
// the built program the reader is a file of its own and this one is not used.
import { register } from 'tsx/esm/api';

register();
await import('./reader.ts');
