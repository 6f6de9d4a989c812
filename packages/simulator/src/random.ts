export { hash, Random } from '@org/core';
