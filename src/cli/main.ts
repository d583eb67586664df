#!/usr/bin/env node
import { runCli } from './program.ts';

void runCli(process.argv.slice(2));
