"""The lens: a local page in the browser that shows what a search thinks. `playout web` serves it.

The page holds the game; the server keeps nothing between two requests but how many are under way.
So a link that names the position, the method and the seed shows the same page again.

Reading order: `guard` refuses what does not come from the page; `asking` checks what a request
asks for; `showing` turns positions and results into plain data; `answers` has a function for each
request; `app` puts them together and `server` runs it. `static/` is the page.
"""
