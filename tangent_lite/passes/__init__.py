"""The passes, one a file, each a public function of the file's name; they never import each other."""
