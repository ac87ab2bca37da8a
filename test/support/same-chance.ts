import fc from 'fast-check';
import { twentieth } from './share.ts';

// Where CI is set, every run tries the same cases, so that a change is judged by itself; elsewhere chance looks further.
if (twentieth !== undefined) fc.configureGlobal({ seed: twentieth });
else if (process.env.CI !== undefined) fc.configureGlobal({ seed: 20261122 });
