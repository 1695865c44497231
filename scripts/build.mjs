// `npm run build`: dist/ of every package.
import { build, ensureInstalled } from './install.mjs';

ensureInstalled();
build();
