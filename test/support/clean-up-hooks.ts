import { afterAll, afterEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './clean-up.ts';

afterEach(cleanUpTest);
afterAll(cleanUpFile);
