import fc from 'fast-check';

// Where CI is set, every run tries the same cases, so that a change is judged by itself; elsewhere chance looks further.
if (process.env.CI !== undefined) fc.configureGlobal({ seed: 20261122 });
