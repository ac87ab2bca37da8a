/** The library of the command line with types that follow from the options that are declared. At run time it is the library alone. */
declare module 'commander' {
  export * from '@commander-js/extra-typings';
}
