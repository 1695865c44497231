// `npm run build`: builds dist/ of every package.
import { build, ensureInstalled } from './install.mjs';

ensureInstalled();
build();
