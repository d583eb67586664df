import { expect } from 'vitest';
import { backendContract } from './backends.ts';

backendContract('abilities', (check, can) => {
  check('are what the backend says once it is ready (B1)', async ({ backend }) => {
    expect(backend.capabilities).toEqual(can);
  });
});
