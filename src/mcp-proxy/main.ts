import { runProxy } from './run.ts';

runProxy(process.env);
