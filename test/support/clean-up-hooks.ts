import { afterAll, afterEach } from 'vitest';
import { setLanguage } from '../../src/domain/language.ts';
import { cleanUpFile, cleanUpTest } from './clean-up.ts';

afterEach(cleanUpTest);
// Files share their modules, and so the language that a run of the program has set.
afterEach(() => setLanguage('en'));
afterAll(cleanUpFile);
