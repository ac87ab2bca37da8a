// Runs a driver of the crash tests (drivers.mjs) as bin/sanbot.js runs the program: bundled, and compiled before.
const { join } = require('node:path');
const { loadProgram } = require('../../bin/load-program.js');

loadProgram(join(__dirname, '..', '..', 'dist', 'drivers'), process.argv.slice(2));
