import fc from 'fast-check';
import { twentieth } from './share.ts';

// `npm test` tries the same cases in every run, so that a change is judged by itself; the drawn twentieth of `npm run test:full` looks further.
fc.configureGlobal({ seed: twentieth ?? 20261122 });
