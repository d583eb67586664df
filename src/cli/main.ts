#!/usr/bin/env -S node --enable-source-maps
import { runCli } from './program.ts';

await runCli(process.argv.slice(2));
